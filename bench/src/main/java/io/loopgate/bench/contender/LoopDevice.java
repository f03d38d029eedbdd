package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.Tool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop device of the kernel over a file, for as long as this object is open. For control threads.
 *
 * <p>It is told to detach as soon as it has been attached, while this process has it open: the
 * kernel then detaches it when its last user is gone, even if this process is killed.
 */
final class LoopDevice implements AutoCloseable {
  private final Path path;
  private final FileChannel user;

  private LoopDevice(Path path, FileChannel user) {
    this.path = path;
    this.user = user;
  }

  /**
   * Attaches one.
   *
   * @param direct whether the device goes past the page cache of the file beneath
   * @throws IOException with a line for the user if that is not possible here
   */
  static LoopDevice attach(Path file, boolean direct) throws IOException {
    List<String> command = new ArrayList<>(List.of("losetup", "--find", "--show"));
    command.add("--direct-io=" + (direct ? "on" : "off"));
    command.add(file.toString());
    Path path = Path.of(run(command).strip());
    try {
      return new LoopDevice(path, FileChannel.open(path, StandardOpenOption.READ));
    } finally {
      detachWhenUnused(path);
    }
  }

  private static void detachWhenUnused(Path path) throws IOException {
    run(List.of("losetup", "--detach", path.toString()));
  }

  /** A signal must not come between attaching and detaching, hence a stop of its own. */
  private static String run(List<String> command) throws IOException {
    Tool.Result result = Tool.run(command, new Stop());
    if (result.code() != 0) {
      throw new IOException(result.firstErrorLine());
    }
    return result.out();
  }

  /** Returns the device. */
  Path path() {
    return path;
  }

  /** Returns how large the device is. */
  long sizeBytes() throws IOException {
    return user.size();
  }

  @Override
  public void close() throws IOException {
    user.close();
  }
}
