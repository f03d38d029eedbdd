package io.loopgate.bench.shape;

import java.util.Arrays;
import java.util.Locale;

/** How commands travel to a server over HTTP. */
public enum Protocol {
  /** HTTP/1.1: one request at a time on each connection. */
  H1,
  /** HTTP/2 without TLS: as many streams on a connection as the depth says. */
  H2,
  /** Frames inside of one endless request of HTTP/1.1. */
  QUEUE;

  /** Returns how users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  public static Protocol parse(String text) {
    return Arrays.stream(values())
        .filter(protocol -> protocol.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "protocol is one of h1, h2, queue, not \"" + text + "\""));
  }
}
