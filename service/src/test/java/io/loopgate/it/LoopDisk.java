package io.loopgate.it;

import java.io.IOException;
import java.nio.file.Path;

/** A block device made of a file. */
final class LoopDisk implements AutoCloseable {
  private final Path device;

  private LoopDisk(Path device) {
    this.device = device;
  }

  /** Attaches a file. */
  static LoopDisk attach(Path image) throws IOException, InterruptedException {
    return new LoopDisk(Path.of(Tools.ok("losetup", "--find", "--show", image).stdout().strip()));
  }

  Path device() {
    return device;
  }

  @Override
  public void close() throws IOException {
    try {
      Tools.ok("losetup", "--detach", device);
    } catch (InterruptedException e) {
      throw Tools.interrupted(e);
    }
  }
}
