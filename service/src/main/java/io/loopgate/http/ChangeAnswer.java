package io.loopgate.http;

import io.loopgate.volume.Volume;
import io.vertx.core.http.HttpHeaders;

/** The fields that the answer to every change carries. */
final class ChangeAnswer {
  private static final CharSequence SEQUENCE = HttpHeaders.createOptimized("Block-Sequence");
  private static final CharSequence DURABLE = HttpHeaders.createOptimized("Block-Durable");
  private static final CharSequence TRUE = HttpHeaders.createOptimized("true");
  private static final CharSequence FALSE = HttpHeaders.createOptimized("false");

  private ChangeAnswer() {}

  static void fields(Exchange exchange, Volume volume, long sequence, boolean durable) {
    exchange
        .response()
        .putHeader(Fields.ETAG, volume.tag(sequence))
        .putHeader(SEQUENCE, Long.toString(sequence))
        .putHeader(DURABLE, durable ? TRUE : FALSE);
  }
}
