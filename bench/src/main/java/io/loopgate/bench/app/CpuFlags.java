package io.loopgate.bench.app;

import io.loopgate.bench.machine.Processors;
import picocli.CommandLine.Option;

/** Where all of this runs. */
final class CpuFlags {
  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "Processors to run on, such as 0 or 0-1 (default: all that are allowed).")
  String list = "";

  /** Returns how many processors the process will have. */
  int count() {
    return list.isEmpty() ? Runtime.getRuntime().availableProcessors() : Processors.count(list);
  }
}
