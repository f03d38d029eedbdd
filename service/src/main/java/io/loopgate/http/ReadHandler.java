package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/** GET and HEAD of bytes: preconditions, then the range, then the answer. Stateless. */
final class ReadHandler {
  private static final CharSequence OCTET_STREAM =
      HttpHeaders.createOptimized("application/octet-stream");
  private static final CharSequence NO_STORE_NO_TRANSFORM =
      HttpHeaders.createOptimized("no-store, no-transform");
  private static final CharSequence BYTES = HttpHeaders.createOptimized("bytes");

  /**
   * What is read: the volume, or a window of it that looks like a whole of its own.
   *
   * @param volume the volume
   * @param windowBytes where it lies
   * @param rangesAllowed whether a Range field counts
   */
  record Source(Volume volume, ByteRange windowBytes, boolean rangesAllowed) {
    static Source whole(Volume volume) {
      return new Source(volume, new ByteRange(0, volume.sizeBytes()), true);
    }

    long sizeBytes() {
      return windowBytes.lengthBytes();
    }
  }

  private ReadHandler() {}

  /** Answers a read. */
  static void handle(Exchange exchange, Source source) {
    exchange.kind(exchange.isHead() ? RequestKind.HEAD : RequestKind.READ);
    Volume volume = source.volume();
    long timeoutMillis = Deadline.timeoutMillis(exchange);
    String tag = volume.tag(volume.sequenceForRead());
    if (!passes(exchange, tag)) {
      return;
    }
    switch (range(exchange, source, tag)) {
      case RangeHeader.Parsed.Ignored() -> whole(exchange, source, tag, timeoutMillis);
      case RangeHeader.Parsed.Satisfiable(List<ByteRange> ranges) ->
          partial(exchange, source, ranges, tag, timeoutMillis);
      case RangeHeader.Parsed.Unsatisfiable() ->
          throw new ProblemException(
              Problem.unsatisfiable(
                  "no byte of Range \""
                      + exchange.header(Fields.RANGE)
                      + "\" exists, or it is malformed;"
                      + " there are "
                      + source.sizeBytes()
                      + " bytes",
                  source.sizeBytes()));
      case RangeHeader.Parsed.TooMany(int count) ->
          throw new ProblemException(
              Problem.of(
                      ProblemCode.TOO_MANY_RANGES,
                      count + " ranges in one request; ask for at most " + RangeHeader.RANGES_MAX)
                  .with("limit", RangeHeader.RANGES_MAX));
    }
  }

  /** Checks If-Match and If-None-Match (RFC 9110, 13.2.2); answers 304 itself. */
  private static boolean passes(Exchange exchange, String tag) {
    String ifMatch = exchange.list(Fields.IF_MATCH);
    if (ifMatch != null && !EntityTags.matchesStrongly(ifMatch, tag)) {
      throw new ProblemException(preconditionFailed(tag));
    }
    String ifNoneMatch = exchange.list(Fields.IF_NONE_MATCH);
    if (ifNoneMatch != null && EntityTags.matchesWeakly(ifNoneMatch, tag)) {
      commonFields(exchange, tag, OCTET_STREAM);
      exchange.empty(304);
      return false;
    }
    return true;
  }

  static Problem preconditionFailed(String tag) {
    return Problem.of(
            ProblemCode.PRECONDITION_FAILED,
            "the tag is now " + tag + "; read again before you decide anew")
        .with("etag", tag);
  }

  private static RangeHeader.Parsed range(Exchange exchange, Source source, String tag) {
    String field = exchange.header(Fields.RANGE);
    if (field == null
        || !source.rangesAllowed()
        || !EntityTags.ifRangeHolds(exchange.header(Fields.IF_RANGE), tag)) {
      return new RangeHeader.Parsed.Ignored();
    }
    if (exchange.isRepeated(Fields.RANGE)) {
      return new RangeHeader.Parsed.Unsatisfiable();
    }
    return RangeHeader.parse(field, source.sizeBytes());
  }

  private static void whole(Exchange exchange, Source source, String tag, long timeoutMillis) {
    exchange.status(200);
    commonFields(exchange, tag, OCTET_STREAM);
    send(exchange, source, List.of(new BodyPart.Bytes(source.windowBytes())), timeoutMillis);
  }

  private static void partial(
      Exchange exchange, Source source, List<ByteRange> ranges, String tag, long timeoutMillis) {
    exchange.status(206);
    long base = source.windowBytes().startBytes();
    if (ranges.size() == 1) {
      ByteRange range = ranges.getFirst();
      commonFields(exchange, tag, OCTET_STREAM);
      exchange.response().putHeader(Fields.CONTENT_RANGE, range.contentRange(source.sizeBytes()));
      send(exchange, source, List.of(new BodyPart.Bytes(range.shifted(base))), timeoutMillis);
      return;
    }
    Multipart multipart = new Multipart(ranges, source.sizeBytes(), base);
    commonFields(exchange, tag, multipart.contentType());
    send(exchange, source, multipart.parts(), timeoutMillis);
  }

  private static void commonFields(Exchange exchange, String tag, CharSequence contentType) {
    exchange
        .response()
        .putHeader(Fields.ACCEPT_RANGES, BYTES)
        .putHeader(Fields.CONTENT_TYPE, contentType)
        .putHeader(Fields.CACHE_CONTROL, NO_STORE_NO_TRANSFORM)
        .putHeader(Fields.ETAG, tag);
  }

  private static void send(
      Exchange exchange, Source source, List<BodyPart> parts, long timeoutMillis) {
    long length = BodyPart.lengthBytes(parts);
    exchange.response().putHeader(Fields.CONTENT_LENGTH, Long.toString(length));
    if (exchange.isHead()) {
      exchange.empty(exchange.response().getStatusCode());
      return;
    }
    exchange.enter(source.volume(), length);
    new RangeBody(exchange, source.volume(), parts).start(timeoutMillis);
  }
}
