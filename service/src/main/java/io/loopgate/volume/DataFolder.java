package io.loopgate.volume;

import io.loopgate.backing.BackingException;
import io.loopgate.volume.VolumeException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.ObjLongConsumer;

/**
 * The folder that volumes created over HTTP live in: keeps every name a client gives inside it. For
 * control threads.
 */
public final class DataFolder {
  private final Path path;
  private final ObjLongConsumer<Path> createImage;

  /**
   * Creates one.
   *
   * @param createImage makes a sparse file of a size, durably; throws {@link BackingException}
   */
  public DataFolder(Path path, ObjLongConsumer<Path> createImage) {
    this.path = path.toAbsolutePath().normalize();
    this.createImage = createImage;
  }

  /** Returns the folder. */
  public Path path() {
    return path;
  }

  /**
   * Returns the file of a name inside the folder.
   *
   * @throws VolumeException if the name leads out of it, by dots, from the root, or over a link; or
   *     if it is one of a volume's descriptor
   */
  public Path resolve(String name) {
    try {
      Path file = path.resolve(name).normalize();
      if (file.startsWith(path)
          && !file.equals(path)
          && !VolumeStore.isReserved(file)
          && isInsideOnDisk(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // Falls through to the one answer for all names that are none.
    }
    throw new VolumeException(
        Kind.INVALID, "backing \"" + name + "\" is not the name of a file inside the data folder");
  }

  private boolean isInsideOnDisk(Path file) {
    if (Files.isSymbolicLink(file)) {
      return false;
    }
    Path parent = file.getParent();
    if (parent == null || !Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
      return path.equals(parent);
    }
    try {
      return parent.toRealPath().startsWith(path.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  boolean holds(String name) {
    return Files.exists(resolve(name), LinkOption.NOFOLLOW_LINKS);
  }

  void createImageIfMissing(String file, long sizeBytes) {
    Path image = Path.of(file);
    if (Files.exists(image, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Path parent = image.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
    } catch (IOException e) {
      throw new BackingException("cannot make the folder of " + image + ": " + e.getMessage(), 0);
    }
    createImage.accept(image, sizeBytes);
  }

  /** Removes what a creation left that was interrupted before the file got its size. */
  void deleteImageIfEmpty(String name) {
    Path image = resolve(name);
    try {
      if (Files.isRegularFile(image, LinkOption.NOFOLLOW_LINKS) && Files.size(image) == 0) {
        Files.delete(image);
      }
    } catch (IOException e) {
      throw new BackingException("cannot finish making " + image + ": " + e.getMessage(), 0);
    }
  }

  void deleteImage(String name) {
    Path image = resolve(name);
    try {
      Files.deleteIfExists(image);
    } catch (IOException e) {
      throw new VolumeException(
          Kind.FAILED, "the volume is gone, but not its file " + image + ": " + e.getMessage());
    }
  }
}
