package io.loopgate.engine.inline;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;

/**
 * {@code inline}: the event loop that submits a command runs it, with no hand-off.
 *
 * <p>Counterpart: calling loop_queue_work() from loop_queue_rq(), as tried in 2014, when the
 * hand-off to a thread cost more than the transfer. A backing that waits makes every client of that
 * event loop wait, so it is refused unless the backing cannot block or the user insists.
 */
public final class InlineProvider implements LoopEngineProvider {
  /** There is nothing to set. */
  record Config() implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("inline", "");
    }
  }

  @Override
  public String name() {
    return "inline";
  }

  @Override
  public String summary() {
    return "the event loop itself, no hand-off (loop_queue_work() from loop_queue_rq(), 2014)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (!spec.argument().isEmpty()) {
      throw new IllegalArgumentException(
          "engine inline takes no argument, not \"" + spec.argument() + "\"");
    }
    return new Config();
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    if (environment.backing().capabilities().neverBlocks()) {
      return new Availability.Available("the backing never blocks");
    }
    if (environment.unsafeInline()) {
      return new Availability.Available(
          "allowed by unsafe-inline: a slow disk stops the event loop");
    }
    return new Availability.Unavailable(
        "this backing can block, and with engine inline it would stop a whole event loop",
        "take another engine, or insist with --unsafe-inline");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    return new InlineEngine(environment);
  }
}
