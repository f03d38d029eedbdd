package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;

/** POST /queue: what can be checked before the first command. Stateless. */
final class QueueHandler {
  private QueueHandler() {}

  static void handle(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.QUEUE);
    refuseOtherTypes(exchange);
    Query query = Query.strict(exchange.request().query(), WriteHandler.queryWith(""));
    QueueTerms terms =
        new QueueTerms(WriteHandler.durable(query, volume), Deadline.timeoutMillis(exchange));
    WriteHandler.continueIfExpected(exchange);
    new QueueStream(exchange, volume, terms).start();
  }

  private static void refuseOtherTypes(Exchange exchange) {
    WriteHandler.refuseCoding(exchange);
    String type = exchange.header(Fields.CONTENT_TYPE);
    String bare = type == null ? "" : type.split(";", 2)[0].strip();
    if (!bare.equalsIgnoreCase(QueueFrames.TYPE)) {
      throw new ProblemException(
          Problem.of(
                  ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                  "the body has to be " + QueueFrames.TYPE + ": frames of commands")
              .withHeader("Accept-Post", QueueFrames.TYPE));
    }
  }
}
