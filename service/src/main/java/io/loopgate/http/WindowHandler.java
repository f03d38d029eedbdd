package io.loopgate.http;

import io.loopgate.volume.Volume;
import io.vertx.core.http.HttpMethod;
import java.util.Set;

/**
 * Resources that name a piece of a volume in their path: {@code /blocks/{lba}} and {@code
 * /objects/{id}_{offset}_{length}}. Stateless.
 */
final class WindowHandler {
  private static final Set<String> COUNT = Set.of("count");

  private WindowHandler() {}

  /** {@code /blocks/{lba}?count=n}. */
  static void blocks(Exchange exchange, Volume volume, String lbaText) {
    HttpMethod method = exchange.method();
    if (reads(method)) {
      Query query = Query.relaxed(exchange.request().query(), COUNT);
      Blocks blocks = Blocks.parse(lbaText, query, volume);
      blocks.refusePastEnd(volume);
      read(exchange, volume, blocks.offsetBytes(), blocks.lengthBytes(), true);
      return;
    }
    if (HttpMethod.PUT.equals(method)) {
      WriteHandler.refuseCoding(exchange);
    }
    Query query = Query.strict(exchange.request().query(), WriteHandler.queryWith("count"));
    Blocks blocks = Blocks.parse(lbaText, query, volume);
    if (HttpMethod.PUT.equals(method)) {
      WriteHandler.Terms terms = WriteHandler.windowTerms(exchange, volume, query);
      blocks.refusePastEnd(volume);
      long wanted = blocks.count() < 0 ? -1 : blocks.lengthBytes();
      WriteHandler.window(
          exchange, volume, blocks.offsetBytes(), wanted, (int) blocks.blockSizeBytes(), terms);
    } else {
      boolean durable = WriteHandler.durable(query, volume);
      blocks.refusePastEnd(volume);
      ChangeHandler.discard(exchange, volume, blocks.offsetBytes(), blocks.lengthBytes(), durable);
    }
  }

  private static boolean reads(HttpMethod method) {
    return HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
  }

  /** The blocks a path and its query name; {@code count} is -1 if they say none. */
  private record Blocks(long lba, long count, long blockSizeBytes) {
    static Blocks parse(String lbaText, Query query, Volume volume) {
      long lba = Numbers.parse(lbaText);
      long count = query.number("count", -1, ProblemCode.BAD_REQUEST);
      if (lba == Numbers.NONE) {
        throw ProblemException.badRequest(
            "block \"" + lbaText + "\" is not a whole number in decimal");
      }
      if (count == 0) {
        throw ProblemException.badRequest("count has to be at least 1");
      }
      return new Blocks(lba, count, volume.settings().blockSizeBytes());
    }

    /** Returns where they begin; once they are known to exist. */
    long offsetBytes() {
      return lba * blockSizeBytes;
    }

    long lengthBytes() {
      return Math.max(1, count) * blockSizeBytes;
    }

    void refusePastEnd(Volume volume) {
      long blocks = volume.sizeBytes() / blockSizeBytes;
      if (lba >= blocks || count > blocks - lba) {
        throw new ProblemException(
            Problem.unsatisfiable(
                    "blocks "
                        + lba
                        + " to "
                        + (lba + Math.max(0, count - 1))
                        + " reach past the last block, "
                        + (blocks - 1),
                    volume.sizeBytes())
                .with("blockSizeBytes", blockSizeBytes));
      }
    }
  }

  /** {@code /v1/objects/{id}_{offset}_{length}}: what fio's http engine calls an object. */
  static void object(Exchange exchange, Volume volume, long offset, long length) {
    HttpMethod method = exchange.method();
    if (reads(method)) {
      refusePastEnd(volume, offset, length);
      read(exchange, volume, offset, length, false);
      return;
    }
    if (HttpMethod.PUT.equals(method)) {
      WriteHandler.refuseCoding(exchange);
    }
    Query query = Query.strict(exchange.request().query(), WriteHandler.queryWith(""));
    if (HttpMethod.PUT.equals(method)) {
      WriteHandler.Terms terms = WriteHandler.windowTerms(exchange, volume, query);
      refusePastEnd(volume, offset, length);
      WriteHandler.window(exchange, volume, offset, length, 1, terms);
    } else {
      boolean durable = WriteHandler.durable(query, volume);
      refusePastEnd(volume, offset, length);
      ChangeHandler.discard(exchange, volume, offset, length, durable);
    }
  }

  private static void refusePastEnd(Volume volume, long offset, long length) {
    if (offset > volume.sizeBytes() || length > volume.sizeBytes() - offset) {
      throw new ProblemException(
          Problem.unsatisfiable(
              "the object reaches past the end of the volume", volume.sizeBytes()));
    }
  }

  private static void read(
      Exchange exchange, Volume volume, long offset, long length, boolean rangesAllowed) {
    ReadHandler.handle(
        exchange,
        new ReadHandler.Source(volume, new ByteRange(offset, offset + length), rangesAllowed));
  }
}
