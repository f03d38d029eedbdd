package io.loopgate.engine;

/** What one provider needs to open its engine; a record of the provider's own. */
public interface EngineConfig {
  /** Returns the configuration as a user would name it, such as {@code workers:4}. */
  EngineSpec spec();
}
