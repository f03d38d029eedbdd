package io.loopgate.backing.file;

import static io.loopgate.sys.LinuxConstants.O_CREAT;
import static io.loopgate.sys.LinuxConstants.O_DIRECTORY;
import static io.loopgate.sys.LinuxConstants.O_EXCL;
import static io.loopgate.sys.LinuxConstants.O_RDONLY;
import static io.loopgate.sys.LinuxConstants.O_RDWR;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.Support;
import io.loopgate.backing.fd.DirectAlignment;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.fd.Refusals;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens and creates images that are regular files. Blocks; for control threads. */
public final class FileBackings {
  private static final int PREFERRED_IO_BYTES = 256 * 1024;
  private static final int OWNER_AND_GROUP = 0640;

  private FileBackings() {}

  /**
   * Opens an image, through the page cache unless told otherwise.
   *
   * @throws BackingException if it cannot be opened as demanded; nothing is left open
   */
  public static DescriptorBacking open(Path path, OpenOptions options) {
    return open(SystemCalls.instance(), path, options);
  }

  static DescriptorBacking open(SystemCalls calls, Path path, OpenOptions asked) {
    OpenOptions options = asked.decided(false);
    FileStatus before = OpenFile.look(calls, path);
    if (!before.isRegular()) {
      throw Refusals.wrongKind(path, before.isDirectory());
    }
    OpenFile file = OpenFile.open(calls, path, options, false, 0);
    try {
      return open(file);
    } catch (RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static DescriptorBacking open(OpenFile file) {
    FileStatus status = file.status();
    OpenOptions options = file.options();
    long sizeBytes = status.sizeBytes();
    if (sizeBytes == 0) {
      throw Refusals.empty(file.path(), false);
    }
    if (sizeBytes % options.blockSizeBytes() != 0) {
      throw Refusals.ragged(file.path(), sizeBytes, options.blockSizeBytes());
    }
    if (!options.direct()) {
      Geometry geometry = new Geometry(sizeBytes, 1, 1, PREFERRED_IO_BYTES);
      Support direct = Support.no("opened through the page cache");
      return new FileBacking(file, geometry, FileProbe.probe(file, direct));
    }
    DirectAlignment alignment = DirectAlignment.find(file, status, 1);
    if (sizeBytes % alignment.offsetBytes() != 0) {
      throw Refusals.raggedForDirect(file.path(), sizeBytes, alignment.offsetBytes());
    }
    Geometry geometry =
        new Geometry(
            sizeBytes, alignment.offsetBytes(), alignment.memoryBytes(), PREFERRED_IO_BYTES);
    Support direct =
        Support.yes(file.fileSystem() + " takes direct I/O in units of " + alignment.offsetBytes());
    return new FileBacking(file, geometry, FileProbe.probe(file, direct));
  }

  /**
   * Creates a sparse image and makes it durable, so that it is either there with its whole size or
   * not at all.
   *
   * @throws BackingException if it exists already or cannot be created
   */
  public static void create(Path path, long sizeBytes) {
    create(SystemCalls.instance(), path, sizeBytes);
  }

  static void create(SystemCalls calls, Path path, long sizeBytes) {
    if (sizeBytes <= 0) {
      throw new BackingException(
          "cannot create " + path + " with a size of " + sizeBytes + ": ask for at least 1 byte",
          0);
    }
    long fd = calls.open(path.toString(), O_RDWR | O_CREAT | O_EXCL, OWNER_AND_GROUP);
    if (fd < 0) {
      throw Refusals.failed("create", path, fd);
    }
    long result = calls.ftruncate((int) fd, sizeBytes);
    if (result == 0) {
      result = calls.fsync((int) fd);
    }
    calls.close((int) fd);
    if (result == 0) {
      result = syncDirectory(calls, path);
    }
    if (result < 0) {
      BackingException failure = Refusals.failed("create", path, result);
      remove(path, failure);
      throw failure;
    }
  }

  private static long syncDirectory(SystemCalls calls, Path path) {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      return 0;
    }
    long fd = calls.open(directory.toString(), O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) {
      return fd;
    }
    long result = calls.fsync((int) fd);
    calls.close((int) fd);
    return result;
  }

  private static void remove(Path path, BackingException failure) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException leftOver) {
      failure.addSuppressed(leftOver);
    }
  }
}
