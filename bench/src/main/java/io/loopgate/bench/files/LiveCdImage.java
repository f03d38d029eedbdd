package io.loopgate.bench.files;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.control.StoppedException;
import io.loopgate.bench.machine.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A squashfs image such as live CDs boot from, made once from a folder of this machine and kept
 * with what the build makes. Blocks; for control threads.
 */
public final class LiveCdImage {
  private final Path source;
  private final Path cache;
  private final Stop stop;

  /**
   * Creates one; the image is made when it is needed.
   *
   * @param source the folder that is packed
   * @param cache where images are kept
   */
  public LiveCdImage(Path source, Path cache, Stop stop) {
    this.source = source;
    this.cache = cache;
    this.stop = stop;
  }

  /**
   * Returns the image.
   *
   * @throws TargetException if it cannot be made
   */
  Path find() {
    String name = source.toAbsolutePath().normalize().toString().replace('/', '-');
    Path image = cache.resolve("livecd" + name + ".squashfs");
    if (Files.isRegularFile(image)) {
      return image;
    }
    Path unfinished = cache.resolve(image.getFileName() + ".unfinished");
    try {
      Files.createDirectories(cache);
      Files.deleteIfExists(unfinished);
      ImageMaker.requireRoom(unfinished, SizeSum.of(source));
      pack(unfinished);
      Files.move(unfinished, image, StandardCopyOption.ATOMIC_MOVE);
      return image;
    } catch (IOException e) {
      throw new TargetException("cannot make " + image + ": " + e.getMessage());
    } finally {
      ImageMaker.deleteQuietly(unfinished);
    }
  }

  private void pack(Path image) {
    Tool.Result result =
        Tool.run(
            List.of(
                "mksquashfs",
                source.toString(),
                image.toString(),
                "-noappend",
                "-no-progress",
                "-quiet",
                "-comp",
                "gzip",
                "-Xcompression-level",
                "1"),
            stop);
    if (stop.isRequested()) {
      throw new StoppedException();
    }
    if (result.code() != 0) {
      throw new TargetException(
          "mksquashfs cannot pack "
              + source
              + ": "
              + result.firstErrorLine()
              + " (package squashfs-tools)");
    }
  }
}
