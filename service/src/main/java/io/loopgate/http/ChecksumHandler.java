package io.loopgate.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.ChecksumAlgorithm;
import io.loopgate.volume.RangeChecksum;
import io.loopgate.volume.Volume;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** GET /checksum: computed on a control thread, given up when the client leaves. Stateless. */
final class ChecksumHandler {
  private static final Set<String> QUERY = Set.of("algorithm", "start", "length", "blockSizeBytes");

  private ChecksumHandler() {}

  static void handle(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.CHECKSUM);
    Query query = Query.relaxed(exchange.request().query(), QUERY);
    String name = query.text("algorithm").orElse(ChecksumAlgorithm.SHA_256.label());
    ChecksumAlgorithm algorithm =
        ChecksumAlgorithm.of(name)
            .orElseThrow(
                () ->
                    ProblemException.badRequest(
                        "there is no algorithm \"" + name + "\"; there are sha-256 and crc32c"));
    long size = volume.sizeBytes();
    long start = query.number("start", 0, ProblemCode.BAD_REQUEST);
    long length = query.number("length", Math.max(0, size - start), ProblemCode.BAD_REQUEST);
    long blockSize = query.number("blockSizeBytes", -1, ProblemCode.BAD_REQUEST);
    if (blockSize == 0) {
      throw ProblemException.badRequest("blockSizeBytes has to be at least 1");
    }
    if (start > size || length > size - start) {
      throw new ProblemException(
          Problem.unsatisfiable("the range reaches past the end of the volume", size));
    }
    exchange.enter(volume, 0);
    AtomicBoolean clientLeft = new AtomicBoolean();
    exchange.response().closeHandler(closed -> clientLeft.set(true));
    BackgroundWork.run(
        exchange,
        () ->
            new RangeChecksum(volume, algorithm, clientLeft::get)
                .compute(start, length, Math.max(0, blockSize)),
        checksum -> {
          if (clientLeft.get()) {
            exchange.close();
          } else {
            exchange.json(200, Json.write(document(algorithm, checksum, blockSize, start, length)));
          }
        });
  }

  private static ObjectNode document(
      ChecksumAlgorithm algorithm, byte[] checksum, long blockSize, long start, long length) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("algorithm", algorithm.label());
    document.put("checksum", HexFormat.of().formatHex(checksum));
    if (blockSize > 0) {
      document.put("blockSizeBytes", blockSize);
    } else {
      document.putNull("blockSizeBytes");
    }
    return document.put("start", start).put("length", length);
  }
}
