package io.loopgate.admin;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The three questions an orchestrator asks. Slow, full or poisoned storage makes none of them fail:
 * neither a restart nor less traffic would mend it. Never blocks.
 */
final class Health {
  /** Far beyond any pause a healthy loop has; shorter, and a paused machine would be restarted. */
  static final Duration WEDGED = Duration.ofSeconds(30);

  private final StatusSource source;
  private final LoopWatch loops;

  Health(StatusSource source, LoopWatch loops) {
    this.source = source;
    this.loops = loops;
  }

  /** Returns why a restart is the only remedy; empty if it is not. */
  Optional<String> whyNotLive() {
    Duration standstill = loops.longestStandstill();
    return standstill.compareTo(WEDGED) > 0
        ? Optional.of(
            String.format(
                Locale.ROOT, "an event loop has stood still for %d s", standstill.toSeconds()))
        : Optional.empty();
  }

  /** Returns why no traffic is wanted; empty if it is. */
  Optional<String> whyNotReady() {
    return switch (source.lifecycle()) {
      case READY -> Optional.empty();
      case STARTING -> Optional.of("starting");
      case DRAINING -> Optional.of("draining");
      case STOPPED -> Optional.of("stopped");
    };
  }

  /** Returns why the start is not over; empty if it is. */
  Optional<String> whyNotStarted() {
    return source.lifecycle() == Lifecycle.STARTING ? Optional.of("starting") : Optional.empty();
  }
}
