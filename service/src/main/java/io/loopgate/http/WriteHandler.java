package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.Volume;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PUT of bytes: everything is checked that can be before the first of them, then the body is
 * received. Stateless.
 */
final class WriteHandler {
  private static final CharSequence CONTENT_DIGEST = HttpHeaders.createOptimized("Content-Digest");
  private static final CharSequence EXPECT_CONTINUE = HttpHeaders.CONTINUE;
  private static final Set<String> DATA_QUERY = Set.of("offset", "flush", "lenient");
  private static final Set<String> PLAIN_QUERY = Set.of("flush");

  /**
   * What a PUT asks for besides its place.
   *
   * @param durable whether the answer waits for stable media
   * @param digest what the body has to fit
   * @param timeoutMillis the deadline, or 0
   */
  record Terms(boolean durable, Optional<ContentDigest> digest, long timeoutMillis) {}

  private WriteHandler() {}

  /** PUT /data. */
  static void data(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.WRITE);
    refuseCoding(exchange);
    Query query = Query.strict(exchange.request().query(), DATA_QUERY);
    boolean lenient = query.flag("lenient", "1", "0", false);
    Terms terms = terms(exchange, volume, query);
    String range = exchange.header(Fields.CONTENT_RANGE);
    if (exchange.header(Fields.RANGE) != null) {
      throw ProblemException.badRange("a PUT has no Range; say Content-Range or ?offset=");
    }
    if (range != null
        && (exchange.isRepeated(Fields.CONTENT_RANGE) || query.text("offset").isPresent())) {
      throw ProblemException.badRange("say where to write once: one Content-Range, or ?offset=");
    }
    long announced = announcedBytes(exchange);
    long size = volume.sizeBytes();
    long offset;
    WritePlan.Length length;
    if (range != null) {
      ContentRange parsed = ContentRange.parse(range, lenient);
      checkTotal(parsed, size);
      offset = parsed.startBytes();
      length =
          new WritePlan.Length(
              announced,
              parsed.lengthBytes(),
              lenient ? 1 : 0,
              1,
              Math.max(0, size - offset),
              false);
      refusePastEnd(parsed, lenient, announced, size, length);
    } else {
      offset = query.number("offset", 0, ProblemCode.BAD_RANGE);
      boolean plain = query.text("offset").isEmpty();
      length = new WritePlan.Length(announced, -1, 0, 1, Math.max(0, size - offset), plain);
      if (offset > size) {
        throw new ProblemException(
            Problem.unsatisfiable(
                "offset " + offset + " is past the end of the volume; nothing was written", size));
      }
    }
    receive(exchange, volume, offset, length, terms);
  }

  private static void checkTotal(ContentRange range, long sizeBytes) {
    if (range.totalBytes() != ContentRange.ANY_TOTAL && range.totalBytes() != sizeBytes) {
      throw ProblemException.badRange(
          "Content-Range says the whole has "
              + range.totalBytes()
              + " bytes, but it has "
              + sizeBytes
              + "; say * if you do not know");
    }
  }

  /**
   * In a strict request the range itself may not reach past the end; in a lenient one the body
   * decides.
   */
  private static void refusePastEnd(
      ContentRange range, boolean lenient, long announced, long size, WritePlan.Length length) {
    boolean fits = announced < 0 || length.wantedBytes() < 0 || announced == range.lengthBytes();
    if (fits && (range.startBytes() >= size || (!lenient && range.lastBytes() >= size))) {
      throw new ProblemException(
          Problem.unsatisfiable(
              "bytes "
                  + range.startBytes()
                  + "-"
                  + range.lastBytes()
                  + " reach past the end of the volume; nothing was written",
              size));
    }
  }

  /** Reads the terms of a PUT of a window, before anyone looks at where it lies. */
  static Terms windowTerms(Exchange exchange, Volume volume, Query query) {
    if (exchange.header(Fields.CONTENT_RANGE) != null || exchange.header(Fields.RANGE) != null) {
      throw ProblemException.badRange(
          "the path says where to write; no Range or Content-Range here");
    }
    return terms(exchange, volume, query);
  }

  private static Terms terms(Exchange exchange, Volume volume, Query query) {
    return new Terms(
        durable(query, volume),
        ContentDigest.parse(exchange.list(CONTENT_DIGEST)),
        Deadline.timeoutMillis(exchange));
  }

  /**
   * PUT of a window whose place and length the path names; {@code wantedBytes} is -1 if it names no
   * length.
   */
  static void window(
      Exchange exchange,
      Volume volume,
      long offset,
      long wantedBytes,
      int multipleBytes,
      Terms terms) {
    exchange.kind(RequestKind.WRITE);
    long size = volume.sizeBytes();
    if (offset > size || (wantedBytes >= 0 && wantedBytes > size - offset)) {
      throw new ProblemException(
          Problem.unsatisfiable(
              "the blocks reach past the end of the volume; nothing was written", size));
    }
    receive(
        exchange,
        volume,
        offset,
        new WritePlan.Length(
            announcedBytes(exchange), wantedBytes, 0, multipleBytes, size - offset, false),
        terms);
  }

  /** Returns the query of a PUT that takes {@code flush} and nothing else but {@code more}. */
  static Set<String> queryWith(String more) {
    return more.isEmpty() ? PLAIN_QUERY : Set.of("flush", more);
  }

  static boolean durable(Query query, Volume volume) {
    return query.flag("flush", "y", "n", volume.durability() == Durability.DURABLE);
  }

  static void refuseCoding(Exchange exchange) {
    String coding = exchange.list(Fields.CONTENT_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw new ProblemException(
          Problem.of(
              ProblemCode.UNSUPPORTED_MEDIA_TYPE,
              "Content-Encoding " + coding + " is not decoded here; send the bytes as they are"));
    }
  }

  private static long announcedBytes(Exchange exchange) {
    String length = exchange.header(Fields.CONTENT_LENGTH);
    if (length != null) {
      return Numbers.parse(length);
    }
    boolean mayStream =
        exchange.header(Fields.TRANSFER_ENCODING) != null
            || exchange.request().version() == HttpVersion.HTTP_2;
    return mayStream ? -1 : 0;
  }

  private static void receive(
      Exchange exchange, Volume volume, long offset, WritePlan.Length length, Terms terms) {
    long size = volume.sizeBytes();
    if (length.isKnown()) {
      length.check(length.announcedBytes(), size).ifPresent(WriteHandler::refuse);
    }
    refuseMisaligned(volume, offset, length);
    boolean held = !length.isKnown() || terms.digest().isPresent();
    int heldMax = exchange.loop().plane().options().maxHeldBytes();
    if (held && length.announcedBytes() > heldMax) {
      refuse(HeldBody.tooLarge(heldMax));
    }
    refuseChange(exchange, volume);
    WritePlan plan =
        new WritePlan(
            volume,
            offset,
            length,
            terms.durable(),
            terms.digest(),
            exchange.list(Fields.IF_MATCH),
            terms.timeoutMillis());
    exchange.enter(volume, Math.max(0, length.announcedBytes()));
    BodyReceiver receiver = new BodyReceiver(exchange, plan, held);
    continueIfExpected(exchange);
    receiver.start();
  }

  private static void refuse(Problem problem) {
    throw new ProblemException(problem);
  }

  private static void refuseMisaligned(Volume volume, long offset, WritePlan.Length length) {
    long known = Math.max(length.announcedBytes(), Math.max(0, length.wantedBytes()));
    misalignment(volume, offset, known).ifPresent(WriteHandler::refuse);
  }

  /** Tells what is wrong with a range on a volume that takes whole blocks only. */
  static Optional<Problem> misalignment(Volume volume, long offset, long length) {
    int alignment =
        Math.max(volume.geometry().alignmentBytes(), volume.settings().blockSizeBytes());
    return volume.settings().alignment() == AlignmentPolicy.STRICT
            && (offset % alignment != 0 || length % alignment != 0)
        ? Optional.of(misaligned(alignment))
        : Optional.empty();
  }

  private static Problem misaligned(int alignment) {
    return Problem.of(
            ProblemCode.MISALIGNED,
            "offset and length have to be multiples of "
                + alignment
                + " on this volume; nothing was written")
        .with("alignment", alignment);
  }

  /** Refuses a change that the volume or a precondition forbids, in the order of the contract. */
  static void refuseChange(Exchange exchange, Volume volume) {
    long refusal = volume.refusal();
    if (refusal != 0) {
      throw new ProblemException(Problem.ofResult(refusal, 0, volume.id()));
    }
    String current = volume.tag(volume.currentSequence());
    String ifMatch = exchange.list(Fields.IF_MATCH);
    String ifNoneMatch = exchange.list(Fields.IF_NONE_MATCH);
    boolean fails =
        (ifMatch != null && !EntityTags.matchesStrongly(ifMatch, current))
            || (ifNoneMatch != null && EntityTags.matchesWeakly(ifNoneMatch, current));
    if (fails) {
      throw new ProblemException(ReadHandler.preconditionFailed(current));
    }
  }

  private static void continueIfExpected(Exchange exchange) {
    @Nullable String expect = exchange.header(Fields.EXPECT);
    if (expect != null && expect.equalsIgnoreCase(EXPECT_CONTINUE.toString())) {
      exchange.response().writeContinue();
    }
  }
}
