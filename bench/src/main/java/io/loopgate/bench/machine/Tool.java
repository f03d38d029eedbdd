package io.loopgate.bench.machine;

import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs the programs of others. For control threads. */
public final class Tool {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final long TERM_SECONDS = 10;

  private Tool() {}

  /**
   * How a program ended.
   *
   * @param code its exit code; 127 if there is no such program
   * @param out what it wrote to standard output
   * @param err what it wrote to standard error
   */
  public record Result(int code, String out, String err) {
    /** Returns the first line of standard error that says something. */
    public String firstErrorLine() {
      return err.lines()
          .filter(line -> !line.isBlank())
          .findFirst()
          .orElse("it ended with code " + code);
    }
  }

  /** Runs a program to its end; it is told to end when the user wants to stop. */
  public static Result run(List<String> command, Stop stop) {
    Process process;
    try {
      process = new ProcessBuilder(command).start();
      process.getOutputStream().close();
    } catch (IOException e) {
      return new Result(127, "", "there is no " + command.getFirst() + " here");
    }
    CompletableFuture<String> out = drain(process.getInputStream());
    CompletableFuture<String> err = drain(process.getErrorStream());
    await(process, stop);
    return new Result(process.exitValue(), out.join(), err.join());
  }

  private static CompletableFuture<String> drain(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (stream) {
                text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
              } catch (IOException e) {
                text.completeExceptionally(new UncheckedIOException(e));
              }
            });
    return text;
  }

  /** A program that was told to end gets a while for it: fio still writes what it has measured. */
  private static void await(Process process, Stop stop) {
    try {
      while (!process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        if (stop.isRequested()) {
          // Process.destroy would close the pipes as well.
          process.toHandle().destroy();
          if (!process.waitFor(TERM_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
          }
          return;
        }
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a program ran", e);
    }
  }
}
