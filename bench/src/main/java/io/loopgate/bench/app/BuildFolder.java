package io.loopgate.bench.app;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** The folder the build made this program in: what is costly to make again is kept there. */
final class BuildFolder {
  private BuildFolder() {}

  /** Returns what starts the server of this build. */
  static Path launcher() {
    return module().resolveSibling("loopgate");
  }

  /** Returns the folder of the benchmarks, with what is not in the jar. */
  static Path module() {
    return Objects.requireNonNullElse(path().getParent(), path());
  }

  static Path path() {
    try {
      // The jar, or the folder of the classes.
      Path program =
          Path.of(BuildFolder.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Objects.requireNonNullElse(program.getParent(), program);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("this program has no place", e);
    }
  }
}
