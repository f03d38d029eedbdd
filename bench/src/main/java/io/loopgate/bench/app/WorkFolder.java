package io.loopgate.bench.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for what servers write besides; removed in the end with all that is in it. */
final class WorkFolder implements AutoCloseable {
  private final Path path;

  private WorkFolder(Path path) {
    this.path = path;
  }

  static WorkFolder make() {
    try {
      return new WorkFolder(Files.createTempDirectory("loopgate-bench-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for servers", e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      all.sorted(Comparator.reverseOrder()).forEach(WorkFolder::delete);
    } catch (IOException | UncheckedIOException e) {
      // It is in the folder for what is temporary.
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
