package io.loopgate.bench.app;

import io.loopgate.bench.contender.EngineSetup;
import io.loopgate.bench.load.LoopTransport;
import io.loopgate.engine.EngineOptions;
import picocli.CommandLine.Option;

/** How engines run, unless an engine's own text says otherwise. */
final class EngineFlags {
  @Option(
      names = "--queues",
      paramLabel = "N",
      description = "Queues of an engine; 0: what suits it (default: ${DEFAULT-VALUE}).")
  int queues;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description =
          "Commands an engine gives the kernel or its threads at a time (default: ${DEFAULT-VALUE}).")
  int depth = EngineOptions.DEFAULT_DEPTH;

  @Option(
      names = "--merge",
      paramLabel = "on|off",
      description = "Whether adjacent small commands become one (default: ${DEFAULT-VALUE}).")
  String merge = "on";

  @Option(
      names = "--punt",
      paramLabel = "on|off",
      description =
          "Whether io_uring is told not to try without waiting (default: ${DEFAULT-VALUE}).")
  String punt = "off";

  @Option(
      names = "--nowait",
      paramLabel = "MODE",
      description = "off, always or auto, for buffered files (default: ${DEFAULT-VALUE}).")
  String nowait = "auto";

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      description = "Event loops: epoll, io_uring or nio (default: ${DEFAULT-VALUE}).")
  String transport = "epoll";

  @Option(
      names = "--loops",
      paramLabel = "N",
      description =
          "How many event loops submit; 0: one for each processor (default: ${DEFAULT-VALUE}).")
  int loops;

  /**
   * Returns what these options say; the name and the engine are still to come.
   *
   * @param processors how many the process will have
   */
  EngineSetup defaults(int processors) {
    EngineSetup setup =
        new EngineSetup(
            "",
            "",
            new EngineOptions(queues, depth, true, false),
            EngineSetup.nowait(nowait),
            LoopTransport.parse(transport),
            loops == 0 ? processors : loops,
            "",
            0);
    return setup.parse("/merge=" + merge + "/punt=" + punt);
  }
}
