package io.loopgate.engine.aio;

import io.loopgate.backing.Support;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.sys.AsyncIo;

/**
 * {@code aio}: {@code io_submit} from the event loop, first without waiting.
 *
 * <p>Counterparts: the loop driver's direct mode (bc07c10a3603, 4.4), where a thread only submits
 * and ends come asynchronously, and its NOWAIT-first series (2025), where even that thread is asked
 * only for what would wait. For direct volumes. Works where a seccomp profile blocks io_uring.
 */
public final class AioProvider implements LoopEngineProvider {
  /** There is nothing to set. */
  record Config() implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("aio", "");
    }
  }

  @Override
  public String name() {
    return "aio";
  }

  @Override
  public String summary() {
    return "io_submit from the event loop, NOWAIT first (direct I/O, 4.4; NOWAIT series, 2025)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (!spec.argument().isEmpty()) {
      throw new IllegalArgumentException(
          "engine aio takes no argument, not \"" + spec.argument() + "\"");
    }
    return new Config();
  }

  @Override
  public int defaultQueues(EngineConfig config, EngineEnvironment environment) {
    return environment.loops().size();
  }

  @Override
  public Support asynchronous(EngineConfig config, EngineEnvironment environment) {
    return Support.yes("io_submit from the event loop, with RWF_NOWAIT");
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    return switch (AioAvailability.probe(name(), environment, AsyncIo::open)) {
      case Availability.Available(String fact) ->
          new Availability.Available(fact + ", noticed on " + place(environment));
      case Availability.Unavailable refused -> refused;
    };
  }

  private static String place(EngineEnvironment environment) {
    return SignalWatch.place(environment.loops().getFirst());
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    return AioAvailability.open(environment, SubmitPolicy.NOWAIT_FIRST, new SignalWatch());
  }

  /**
   * Opens a queue that hands transfers over as they are, for a file whose owner knows that there is
   * nothing to wait for.
   *
   * @throws IllegalArgumentException as {@link AioAvailability#open}
   */
  public static LoopEngine openPlain(EngineEnvironment environment) {
    return AioAvailability.open(environment, SubmitPolicy.PLAIN, new SignalWatch());
  }
}
