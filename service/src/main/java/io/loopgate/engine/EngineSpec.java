package io.loopgate.engine;

/**
 * How a user names an engine: {@code single}, {@code workers:4}, {@code polled:batch}.
 *
 * @param name the strategy
 * @param argument what follows the colon, or an empty text
 */
public record EngineSpec(String name, String argument) {
  /** Splits at the first colon; whether the parts mean anything the provider tells. */
  public static EngineSpec parse(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new EngineSpec(text.strip(), "")
        : new EngineSpec(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
  }

  @Override
  public String toString() {
    return argument.isEmpty() ? name : name + ":" + argument;
  }
}
