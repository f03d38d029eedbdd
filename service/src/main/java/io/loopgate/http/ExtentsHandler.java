package io.loopgate.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.backing.Extent;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.ExtentPage;
import io.loopgate.volume.Volume;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/**
 * GET /extents: what is data and what is hole, page by page, or all of it as a stream. Stateless.
 */
final class ExtentsHandler {
  private static final Set<String> QUERY = Set.of("context", "start", "length", "limit", "cursor");
  private static final int LIMIT_MAX = 10_000;
  private static final int LIMIT_DEFAULT = 1000;
  private static final String NDJSON = "application/x-ndjson";

  /**
   * What a request asks for.
   *
   * @param startBytes where its window begins
   * @param endBytes where its window ends
   * @param fromBytes where this page begins
   * @param limit how many extents a page may have
   */
  record Window(long startBytes, long endBytes, long fromBytes, int limit) {
    String cursor(Volume volume, long nextBytes) {
      String text = volume.incarnation() + ":" + startBytes + ":" + endBytes + ":" + nextBytes;
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private ExtentsHandler() {}

  static void handle(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.EXTENTS);
    Window window = parse(Query.relaxed(exchange.request().query(), QUERY), volume);
    exchange.enter(volume, 0);
    String accept = exchange.header(Fields.ACCEPT);
    if (accept != null && accept.contains(NDJSON) && !exchange.isHead()) {
      exchange.response().putHeader(Fields.CONTENT_TYPE, NDJSON);
      new ExtentsStream(exchange, volume, window).start();
      return;
    }
    BackgroundWork.run(
        exchange, () -> page(volume, window), page -> exchange.json(200, Json.write(page)));
  }

  private static Window parse(Query query, Volume volume) {
    query
        .text("context")
        .filter(context -> !context.equals("zero"))
        .ifPresent(
            context -> {
              throw ProblemException.badRequest(
                  "there is no context \"" + context + "\"; there is zero");
            });
    long size = volume.sizeBytes();
    long start = query.number("start", 0, ProblemCode.BAD_REQUEST);
    long length = query.number("length", Long.MAX_VALUE, ProblemCode.BAD_REQUEST);
    long limit = query.number("limit", LIMIT_DEFAULT, ProblemCode.BAD_REQUEST);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new ProblemException(
          Problem.of(ProblemCode.BAD_REQUEST, "limit has to be 1 to " + LIMIT_MAX)
              .with("limit", LIMIT_MAX));
    }
    if (start >= size) {
      throw new ProblemException(
          Problem.unsatisfiable("start " + start + " is past the end of the volume", size));
    }
    long end = length > size - start ? size : start + length;
    long from =
        query.text("cursor").map(cursor -> position(cursor, volume, start, end)).orElse(start);
    return new Window(start, end, from, (int) limit);
  }

  /** Reads a cursor, which belongs to the volume and to the window it was made for. */
  private static long position(String cursor, Volume volume, long start, long end) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      String prefix = volume.incarnation() + ":" + start + ":" + end + ":";
      long position =
          text.startsWith(prefix) ? Numbers.parse(text, prefix.length(), text.length()) : -1;
      if (position > start && position < end) {
        return position;
      }
    } catch (IllegalArgumentException e) {
      // Falls through: what is no base64 is no cursor of ours.
    }
    throw ProblemException.badRequest(
        "this cursor is not of this volume and window; begin again without one, and keep start and length");
  }

  private static ObjectNode page(Volume volume, Window window) {
    ExtentPage page =
        ExtentPage.read(volume.backing(), window.fromBytes(), window.endBytes(), window.limit());
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    ArrayNode extents = document.putArray("extents");
    for (Extent extent : page.extents()) {
      extents.add(node(extent));
    }
    if (page.nextBytes() < window.endBytes()) {
      document.put("next", window.cursor(volume, page.nextBytes()));
    } else {
      document.putNull("next");
    }
    return document;
  }

  static ObjectNode node(Extent extent) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("start", extent.startBytes())
        .put("length", extent.lengthBytes())
        .put("zero", extent.hole())
        .put("hole", extent.hole());
  }
}
