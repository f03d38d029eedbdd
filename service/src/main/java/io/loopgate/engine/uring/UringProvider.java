package io.loopgate.engine.uring;

import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.Support;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.engine.netty.Ring;
import io.loopgate.engine.netty.RingOptions;
import io.loopgate.engine.netty.RingRefusal;
import io.loopgate.engine.netty.Rings;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.NativeMemory;
import io.loopgate.sys.SystemCalls;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code uring}: reads and writes are submitted to an io_uring and never occupy a thread here.
 *
 * <p>Counterpart: the loop driver's direct mode, which submits aio from its one thread
 * (bc07c10a3603), and the NOWAIT-first series of 2025: for each command io_uring tries without
 * waiting, and hands what would wait to a worker of the kernel. It does not tell which of both
 * happened, so no outcome of that first try is counted for this engine, and the hint about writes
 * that may wait knows only those that come to the thread beside the ring.
 *
 * <p>With event loops on io_uring a queue uses the ring of its first loop: submission and
 * completion need no other thread and no system call of their own. Otherwise there is a ring with a
 * thread for each event loop, which all volumes share, and a batch costs two wake-ups. {@code
 * punt=on} lets the kernel's workers do everything: what NOWAIT first saves can be seen beside it.
 *
 * <p>Flushes, discards, zeroing and odd results go to a thread per queue that runs them as the
 * other engines do.
 */
public final class UringProvider implements LoopEngineProvider {
  /** There is nothing to set. */
  record Config() implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("uring", "");
    }
  }

  @Override
  public String name() {
    return "uring";
  }

  @Override
  public String summary() {
    return "io_uring, which tries without waiting first (the loop driver's aio mode, 4.4; ublk)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (!spec.argument().isEmpty()) {
      throw new IllegalArgumentException(
          "engine uring takes no argument, not \""
              + spec.argument()
              + "\"; the number of rings is set by queues");
    }
    return new Config();
  }

  @Override
  public int defaultQueues(EngineConfig config, EngineEnvironment environment) {
    return environment.loops().size();
  }

  @Override
  public Support asynchronous(EngineConfig config, EngineEnvironment environment) {
    return environment.options().punt()
        ? Support.no("punt=on: io_uring hands each command to its workers at once")
        : Support.yes("io_uring, which tries each command without waiting");
  }

  /** Measured: behind epoll loops such a ring does a fraction of what aio does, at more cost. */
  @Override
  public Optional<String> objection(EngineConfig config, EngineEnvironment environment) {
    return usesLoopRings(environment)
        ? Optional.empty()
        : Optional.of(
            "the event loops have no rings, and one of its own would cost two wake-ups a batch"
                + " (transport io_uring has them; engine=uring insists)");
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    if (!(environment.backing() instanceof DescriptorBacking file)) {
      return new Availability.Unavailable(
          "the backing is no open file that the kernel could be given", "take engine workers");
    }
    if (usesLoopRings(environment)) {
      return new Availability.Available("the event loops' own rings");
    }
    Optional<RingRefusal> refusal =
        Rings.refusal(ringNumber(environment), leavesAllToWorkers(file, environment));
    if (refusal.isPresent()) {
      return new Availability.Unavailable(refusal.get().cause(), refusal.get().remedy());
    }
    return new Availability.Available(
        "a ring thread of its own, as the event loops are not on io_uring");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    if (!(environment.backing() instanceof DescriptorBacking file)) {
      throw new IllegalArgumentException("engine uring needs an open file");
    }
    RingOptions options = new RingOptions(file.fd(), environment.options().punt());
    Optional<CompletionSink> here = Optional.empty();
    Function<Ring.Listener, Ring> rings;
    if (usesLoopRings(environment)) {
      LoopContext owner = environment.loops().getFirst();
      here = Optional.of(owner.completions());
      rings = listener -> Rings.of(owner, options, listener);
    } else {
      int number = ringNumber(environment);
      boolean manyWorkers = leavesAllToWorkers(file, environment);
      rings = listener -> Rings.shared(number, manyWorkers, options, listener);
    }
    return new UringEngine(environment, here, rings, UringEngine.CLOSE_TIMEOUT);
  }

  private static boolean usesLoopRings(EngineEnvironment environment) {
    return !environment.loops().isEmpty() && environment.loops().stream().allMatch(Rings::has);
  }

  /** Queues that serve the same event loop share a ring, whatever the volume. */
  private static int ringNumber(EngineEnvironment environment) {
    return environment.loops().isEmpty() ? 0 : environment.loops().getFirst().index();
  }

  /**
   * Tells whether the kernel's workers run reads too, by order or because those of this file cannot
   * but wait: as few workers as writes want would then be the depth.
   */
  static boolean leavesAllToWorkers(DescriptorBacking file, EngineEnvironment environment) {
    return environment.options().punt() || !takesNowaitReads(file);
  }

  /**
   * Tries: what the backing knows is about calls on an event loop, where direct ones may not be.
   */
  private static boolean takesNowaitReads(DescriptorBacking file) {
    Geometry geometry = file.geometry();
    int unitBytes = geometry.alignmentBytes();
    try (NativeMemory.Block memory =
        NativeMemory.allocate(unitBytes, Math.max(unitBytes, geometry.memoryAlignmentBytes()))) {
      long result =
          SystemCalls.instance()
              .pread(file.fd(), memory.address(), unitBytes, 0, LinuxConstants.RWF_NOWAIT);
      return result != -Errno.EOPNOTSUPP;
    }
  }
}
