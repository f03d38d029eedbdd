package io.loopgate.engine;

/** Environments with other options than the usual. */
public final class Environments {
  private Environments() {}

  /** Returns the same environment with other options. */
  public static EngineEnvironment with(EngineEnvironment before, EngineOptions options) {
    return new EngineEnvironment(
        before.volume(),
        before.backing(),
        before.queueCapacity(),
        before.unsafeInline(),
        before.loops(),
        before.telemetry(),
        options,
        before.blockingWrites());
  }

  /** Returns the same environment with so many queues. */
  public static EngineEnvironment withQueues(EngineEnvironment before, int queues) {
    return with(before, before.options().withQueues(queues));
  }
}
