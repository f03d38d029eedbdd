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

  /**
   * Reads the argument as a number of something, from 1 on.
   *
   * @param form how users write it, such as {@code workers:N}
   * @param what what it is the number of
   * @return 0 if there is no argument
   * @throws IllegalArgumentException if it is no such number; the message says what is
   */
  public int count(String form, String what, int most) {
    if (argument.isEmpty()) {
      return 0;
    }
    try {
      int count = Integer.parseInt(argument);
      if (count >= 1 && count <= most) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message for all that is no such number.
    }
    throw new IllegalArgumentException(
        "engine " + form + " takes 1 to " + most + " " + what + ", not \"" + argument + "\"");
  }

  @Override
  public String toString() {
    return argument.isEmpty() ? name : name + ":" + argument;
  }
}
