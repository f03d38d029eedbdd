package io.loopgate.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.function.Consumer;

/** Collects the small JSON body of a control request, up to a bound. Confined to its loop. */
final class SmallBody implements StallWatch.Transfer {
  private static final int LIMIT_BYTES = 64 << 10;

  private final Exchange exchange;
  private final Consumer<byte[]> whenComplete;
  private final Buffer body = Buffer.buffer();
  private boolean ended;

  private SmallBody(Exchange exchange, Consumer<byte[]> whenComplete) {
    this.exchange = exchange;
    this.whenComplete = whenComplete;
  }

  /**
   * Refuses other types than JSON, any query, and bodies over the bound at once, then collects.
   *
   * @param whenComplete takes the body; a {@link ProblemException} from it is answered
   */
  static void collect(Exchange exchange, Consumer<byte[]> whenComplete) {
    refuseOtherTypes(exchange);
    Query.strict(exchange.request().query(), Set.of());
    String length = exchange.header(Fields.CONTENT_LENGTH);
    if (length != null && Numbers.parse(length) > LIMIT_BYTES) {
      throw tooLarge();
    }
    new SmallBody(exchange, whenComplete).start();
  }

  private static void refuseOtherTypes(Exchange exchange) {
    String type = exchange.header(Fields.CONTENT_TYPE);
    String bare = type == null ? "" : type.split(";", 2)[0].strip();
    if (!bare.equalsIgnoreCase("application/json")
        || exchange.header(Fields.CONTENT_ENCODING) != null) {
      throw new ProblemException(
          Problem.of(
                  ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                  "the body has to be application/json without a Content-Encoding")
              .withHeader("Accept-Patch", "application/json"));
    }
  }

  private static ProblemException tooLarge() {
    return new ProblemException(
        Problem.of(ProblemCode.TOO_LARGE, "a JSON body has at most " + LIMIT_BYTES + " bytes")
            .with("limit", LIMIT_BYTES));
  }

  private void start() {
    HttpServerRequest request = exchange.request();
    exchange.awaitBody();
    request.handler(this::received);
    request.endHandler(end -> complete());
    request.exceptionHandler(
        failure -> {
          if (!ended) {
            exchange.answerMalformed(failure);
          }
          brokenOff();
        });
    exchange.loop().stalls().watch(this, System.nanoTime());
    String expect = exchange.header(Fields.EXPECT);
    if (expect != null) {
      exchange.response().writeContinue();
    }
  }

  private void received(Buffer chunk) {
    if (ended) {
      return;
    }
    body.appendBuffer(chunk);
    if (body.length() > LIMIT_BYTES) {
      stop();
      BodyDiscard.start(exchange);
      exchange.problem(tooLarge().problem());
    }
  }

  private void complete() {
    if (ended) {
      return;
    }
    stop();
    exchange.guard(() -> whenComplete.accept(body.getBytes()));
  }

  private void brokenOff() {
    if (!ended) {
      stop();
      exchange.close();
    }
  }

  private void stop() {
    ended = true;
    exchange.loop().stalls().forget(this);
  }

  @Override
  public long progress() {
    return body.length();
  }

  @Override
  public void cut() {
    exchange.loop().plane().telemetry().stalledTransfer();
    brokenOff();
    exchange.request().connection().close();
  }
}
