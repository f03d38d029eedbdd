package io.loopgate.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file system in a file, mounted by a loop device, which can be made to stand still. */
final class LoopMount implements AutoCloseable {
  private final Path directory;
  private boolean frozen;

  private LoopMount(Path directory) {
    this.directory = directory;
  }

  /** Ends the test here unless such file systems can be made and mounted. */
  static void require(String... kinds) {
    Tools.requireRoot("mounts file systems");
    Tools.require("mount", "umount", "losetup");
    for (String kind : kinds) {
      Tools.require("mkfs." + kind);
    }
    Tools.require(
        Files.exists(Path.of("/dev/loop-control")), "no /dev/loop-control on this machine");
  }

  /** Makes a file system of a kind, such as {@code ext4}, beside its image in a folder. */
  static LoopMount make(Path folder, String kind, long sizeBytes, String... mkfsOptions)
      throws IOException, InterruptedException {
    Path image = Images.sparse(folder.resolve(kind + ".fs"), sizeBytes);
    List<Object> mkfs = new ArrayList<>(List.of("mkfs." + kind, "-q"));
    mkfs.addAll(List.of(mkfsOptions));
    mkfs.add(image);
    Tools.ok(mkfs.toArray());
    Path directory = Files.createDirectory(folder.resolve(kind));
    Tools.ok("mount", "-o", "loop", image, directory);
    return new LoopMount(directory);
  }

  Path directory() {
    return directory;
  }

  /** Lets everything that would change the file system wait. */
  void freeze() throws IOException, InterruptedException {
    frozen = true;
    Tools.ok("fsfreeze", "--freeze", directory);
  }

  /** Lets it go on. */
  void thaw() throws IOException, InterruptedException {
    Tools.ok("fsfreeze", "--unfreeze", directory);
    frozen = false;
  }

  @Override
  public void close() throws IOException {
    try {
      if (frozen) {
        Tools.run(Tools.TIMEOUT, "fsfreeze", "--unfreeze", directory);
      }
      Tools.ok("umount", directory);
    } catch (InterruptedException e) {
      throw Tools.interrupted(e);
    }
  }
}
