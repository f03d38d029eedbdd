package io.loopgate.http;

import io.loopgate.volume.Durability;
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
    boolean reads = HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
    Query query =
        reads
            ? Query.relaxed(exchange.request().query(), COUNT)
            : Query.strict(exchange.request().query(), WriteHandler.queryWith("count"));
    long blockSize = volume.settings().blockSizeBytes();
    long lba = Numbers.parse(lbaText);
    long count = query.number("count", -1, ProblemCode.BAD_REQUEST);
    if (lba == Numbers.NONE) {
      throw ProblemException.badRequest(
          "block \"" + lbaText + "\" is not a whole number in decimal");
    }
    if (count == 0) {
      throw ProblemException.badRequest("count has to be at least 1");
    }
    long blocks = volume.sizeBytes() / blockSize;
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
              .with("blockSizeBytes", blockSize));
    }
    long offset = lba * blockSize;
    long length = Math.max(1, count) * blockSize;
    if (reads) {
      read(exchange, volume, offset, length, true);
    } else if (HttpMethod.PUT.equals(method)) {
      WriteHandler.window(
          exchange, volume, offset, count < 0 ? -1 : length, (int) blockSize, query);
    } else {
      ChangeHandler.discard(exchange, volume, offset, length, durable(query, volume));
    }
  }

  /** {@code /v1/objects/{id}_{offset}_{length}}: what fio's http engine calls an object. */
  static void object(Exchange exchange, Volume volume, long offset, long length) {
    HttpMethod method = exchange.method();
    if (offset > volume.sizeBytes() || length > volume.sizeBytes() - offset) {
      throw new ProblemException(
          Problem.unsatisfiable(
              "the object reaches past the end of the volume", volume.sizeBytes()));
    }
    if (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method)) {
      read(exchange, volume, offset, length, false);
      return;
    }
    Query query = Query.strict(exchange.request().query(), WriteHandler.queryWith(""));
    if (HttpMethod.PUT.equals(method)) {
      WriteHandler.window(exchange, volume, offset, length, 1, query);
    } else {
      ChangeHandler.discard(exchange, volume, offset, length, durable(query, volume));
    }
  }

  private static void read(
      Exchange exchange, Volume volume, long offset, long length, boolean rangesAllowed) {
    ReadHandler.handle(
        exchange,
        new ReadHandler.Source(volume, new ByteRange(offset, offset + length), rangesAllowed));
  }

  private static boolean durable(Query query, Volume volume) {
    return query.flag("flush", "y", "n", volume.settings().durability() == Durability.DURABLE);
  }
}
