package io.loopgate.backing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.loopgate.backing.file.FileBackings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system in a file, mounted for a test; needs root, mkfs and mount, which CI has to have.
 */
public final class MountedImage implements AutoCloseable {
  private final Path image;
  private final Path directory;

  private MountedImage(Path image, Path directory) {
    this.image = image;
    this.directory = directory;
  }

  /** Makes and mounts one; {@code mkfs} is the command without the image. */
  public static MountedImage mount(long sizeBytes, String... mkfs) throws IOException {
    Path parent = BackingFixture.directory().toAbsolutePath();
    Path image = parent.resolve("fs.img");
    Path directory = Files.createDirectory(parent.resolve("mnt"));
    FileBackings.create(image, sizeBytes);
    try {
      run(concat(List.of(mkfs), image.toString()));
      run(List.of("mount", "-o", "loop", image.toString(), directory.toString()));
    } catch (IOException impossible) {
      Files.delete(image);
      Files.delete(directory);
      String reason = "cannot make and mount a file system: " + impossible.getMessage();
      return "true".equals(System.getenv("CI")) ? fail(reason) : abort(reason);
    }
    return new MountedImage(image, directory);
  }

  private static List<String> concat(List<String> words, String last) {
    return java.util.stream.Stream.concat(words.stream(), java.util.stream.Stream.of(last))
        .toList();
  }

  /** Returns where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Runs a command of this machine, which has to end well. */
  public static String run(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (was, more) -> was + ":" + more);
    List<String> shell = List.of("sh", "-c", "exec \"$@\"", "sh");
    builder.command(java.util.stream.Stream.concat(shell.stream(), command.stream()).toList());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output.strip());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
    return output;
  }

  @Override
  public void close() throws IOException {
    run(List.of("umount", directory.toString()));
    Files.delete(directory);
    Files.delete(image);
  }
}
