package io.loopgate.bench.app;

import io.loopgate.config.Units;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What is measured lies in files, and this says which. */
final class FileFlags {
  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where files are made (default: ${DEFAULT-VALUE}).")
  Path folder = Path.of("bench-data");

  @Option(names = "--keep", description = "Leave the files there afterwards.")
  boolean keep;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "How large the files are (default: ${DEFAULT-VALUE}).")
  String size = "256MiB";

  long sizeBytes() {
    return Units.parseBytes(size);
  }
}
