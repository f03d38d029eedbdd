package io.loopgate.bench.app;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the shapes of a live CD need. */
final class LiveCdFlags {
  @Option(
      names = "--livecd-source",
      paramLabel = "FOLDER",
      description = "What the image of a live CD is made from (default: ${DEFAULT-VALUE}).")
  Path source = Path.of("/usr/share");
}
