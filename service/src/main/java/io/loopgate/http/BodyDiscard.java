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
  private long discardedBytes;

  private BodyDiscard(Exchange exchange) {
    this.exchange = exchange;
  }

  static void start(Exchange exchange) {
    BodyDiscard discard = new BodyDiscard(exchange);
    HttpServerRequest request = exchange.request();
    exchange.awaitBody();
    request.handler(discard::discard);
    request.endHandler(end -> discard.ended());
    request.exceptionHandler(failure -> discard.stop());
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
