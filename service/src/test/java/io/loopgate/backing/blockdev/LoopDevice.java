package io.loopgate.backing.blockdev;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.file.FileBackings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real block device made of a file; needs root and losetup, which CI has to have. */
public final class LoopDevice implements AutoCloseable {
  private final Path image;
  private final Path device;

  private LoopDevice(Path image, Path device) {
    this.image = image;
    this.device = device;
  }

  /** Makes a file of this size and attaches it; {@code options} are those of losetup. */
  public static LoopDevice attach(long sizeBytes, String... options) throws IOException {
    Path image = BackingFixture.directory().resolve("loop.raw");
    FileBackings.create(image, sizeBytes);
    List<String> command = new ArrayList<>(List.of("losetup", "--find", "--show"));
    command.addAll(List.of(options));
    command.add(image.toString());
    String answer;
    try {
      answer = run(command);
    } catch (IOException impossible) {
      Files.delete(image);
      String reason = "no loop device: " + impossible.getMessage();
      if ("true".equals(System.getenv("CI"))) {
        return fail(reason);
      }
      return abort(reason);
    }
    return new LoopDevice(image, Path.of(answer.strip()));
  }

  /** Returns the path of the device. */
  public Path device() {
    return device;
  }

  Path image() {
    return image;
  }

  static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command + ": " + output.strip());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
    return output;
  }

  @Override
  public void close() throws IOException {
    run(List.of("losetup", "--detach", device.toString()));
    Files.delete(image);
  }
}
