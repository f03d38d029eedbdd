package io.loopgate.engine.polled;

import io.loopgate.backing.Support;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.engine.aio.AioAvailability;
import io.loopgate.engine.aio.AioEngine;
import io.loopgate.engine.aio.SubmitPolicy;
import io.loopgate.sys.AsyncIo;

/**
 * {@code polled:MODE}: as {@code aio}, but the event loop polls for ends instead of being told.
 *
 * <p>Counterparts: bio polling of dm, first try (2021) and final design (5.18), and hybrid polling.
 * Pays only where a core is free and several commands are in flight.
 */
public final class PolledProvider implements LoopEngineProvider {
  /** Which way. */
  record Config(PollMode mode) implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("polled", mode.label());
    }
  }

  @Override
  public String name() {
    return "polled";
  }

  @Override
  public String summary() {
    return "aio whose ends the event loop polls for: naive, batch or hybrid (dm, 2021 and 5.18)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (spec.argument().isEmpty()) {
      return new Config(PollMode.BATCH);
    }
    for (PollMode mode : PollMode.values()) {
      if (mode.label().equals(spec.argument())) {
        return new Config(mode);
      }
    }
    throw new IllegalArgumentException(
        "engine polled takes naive, batch or hybrid, not \"" + spec.argument() + "\"");
  }

  @Override
  public int defaultQueues(EngineConfig config, EngineEnvironment environment) {
    return environment.loops().size();
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    PollMode mode = ((Config) config).mode();
    if (mode == PollMode.NAIVE && !environment.unsafeInline()) {
      return new Availability.Unavailable(
          "polled:naive stops an event loop for the time of each command",
          "take polled:batch, or insist with --unsafe-inline");
    }
    return AioAvailability.probe(name(), environment, AsyncIo::open);
  }

  @Override
  public Support asynchronous(EngineConfig config, EngineEnvironment environment) {
    return ((Config) config).mode() == PollMode.NAIVE
        ? Support.no("polled:naive spins on the event loop until each command has ended")
        : Support.yes("io_submit from the event loop, with RWF_NOWAIT, and polls for its end");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    PollMode mode = ((Config) config).mode();
    if (mode != PollMode.NAIVE) {
      return AioAvailability.open(environment, SubmitPolicy.NOWAIT_FIRST, mode);
    }
    EngineEnvironment one = NaiveEngine.oneAtATime(environment);
    AioEngine queue = AioAvailability.open(one, SubmitPolicy.NOWAIT_FIRST, mode);
    return new NaiveEngine(queue, one.loops(), NaiveEngine.SPIN_MAX);
  }
}
