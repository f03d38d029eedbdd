package io.loopgate.volume;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The descriptors of volumes in the data folder, one small file each, replaced whole and durably.
 * For control threads.
 */
final class VolumeStore {
  private static final String SUFFIX = ".volume";
  private static final String TEMPORARY_SUFFIX = SUFFIX + ".new";

  private final Path folder;

  VolumeStore(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /** Tells whether a file's name is one of those that descriptors have. */
  static boolean isReserved(Path file) {
    String name = file.toString();
    return name.endsWith(SUFFIX) || name.endsWith(TEMPORARY_SUFFIX);
  }

  /**
   * Returns all descriptors, by id; throws {@link VolumeException} naming a file that makes no
   * sense.
   */
  List<VolumeDescriptor> readAll() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      found.forEach(files::add);
    } catch (IOException e) {
      throw failed("cannot list the data folder " + folder, e);
    }
    return files.stream().sorted().map(VolumeStore::read).toList();
  }

  private static VolumeDescriptor read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return VolumeDescriptor.of(properties);
    } catch (IOException | IllegalArgumentException e) {
      throw failed("cannot understand the volume descriptor " + file, e);
    }
  }

  /** Writes or replaces a descriptor: whole or not at all, also when the machine stops. */
  void write(VolumeDescriptor descriptor) {
    String id = descriptor.settings().id();
    Path temporary = folder.resolve("." + id + TEMPORARY_SUFFIX);
    try {
      Files.createDirectories(folder);
      StringWriter text = new StringWriter();
      descriptor.toProperties().store(text, "a volume of loopgate");
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(
          temporary, file(id), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncFolder();
    } catch (IOException e) {
      throw failed("cannot write the descriptor of volume " + id + " in " + folder, e);
    }
  }

  /** Removes a descriptor, durably. */
  void remove(String id) {
    try {
      Files.deleteIfExists(file(id));
      syncFolder();
    } catch (IOException e) {
      throw failed("cannot remove the descriptor of volume " + id + " in " + folder, e);
    }
  }

  private void syncFolder() throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private Path file(String id) {
    return folder.resolve(id + SUFFIX);
  }

  private static VolumeException failed(String what, Exception cause) {
    return new VolumeException(VolumeException.Kind.FAILED, what + ": " + cause.getMessage());
  }
}
