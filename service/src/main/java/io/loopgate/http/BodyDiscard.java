package io.loopgate.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the rest of a refused body and drops it, so that it is never taken for a request and the
 * connection stays. A body that goes on for too long costs its connection.
 */
final class BodyDiscard implements StallWatch.Transfer {
  /**
   * The contract promises a million; twice that, so that a body just above it does not lose its
   * answer.
   */
  private static final long DISCARDED_MAX = 2L << 20;

  private final Exchange exchange;
  private final Runnable whenOver;
  private long discardedBytes;

  private BodyDiscard(Exchange exchange, Runnable whenOver) {
    this.exchange = exchange;
    this.whenOver = whenOver;
  }

  static void start(Exchange exchange) {
    start(exchange, () -> {});
  }

  /** {@code whenOver} runs when nothing more will come. */
  static void start(Exchange exchange, Runnable whenOver) {
    BodyDiscard discard = new BodyDiscard(exchange, whenOver);
    HttpServerRequest request = exchange.request();
    exchange.awaitBody();
    request.handler(discard::discard);
    request.endHandler(end -> discard.ended());
    request.exceptionHandler(failure -> discard.brokenOff());
    exchange.loop().stalls().watch(discard, System.nanoTime());
    request.resume();
  }

  private void discard(Buffer buffer) {
    discardedBytes += buffer.length();
    if (discardedBytes > DISCARDED_MAX) {
      cut();
    }
  }

  private void ended() {
    stop();
    exchange.bodyDiscarded();
    whenOver.run();
  }

  private void brokenOff() {
    stop();
    whenOver.run();
  }

  private void stop() {
    exchange.loop().stalls().forget(this);
  }

  @Override
  public long progress() {
    return discardedBytes;
  }

  @Override
  public void cut() {
    stop();
    exchange.breakConnection();
  }
}
