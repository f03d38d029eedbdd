package io.loopgate.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.ChecksumAlgorithm;
import io.loopgate.volume.FastPath;
import io.loopgate.volume.Volume;
import java.util.stream.Stream;

/** OPTIONS /data: what the volume can do, for clients that choose by it. Stateless. */
final class OptionsHandler {
  /** How many connections pay: imageio's clients take the smaller of this and their own idea. */
  private static final int PARALLEL_CLIENTS = 16;

  private OptionsHandler() {}

  static void handle(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.OPTIONS);
    boolean readOnly = volume.settings().readOnly();
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    var features = document.putArray("features").add("extents").add("checksum");
    if (!readOnly) {
      features.add("zero").add("flush").add("discard");
    }
    document
        .put("max_readers", PARALLEL_CLIENTS)
        .put("max_writers", readOnly ? 0 : PARALLEL_CLIENTS);
    document
        .put("sizeBytes", volume.sizeBytes())
        .put("blockSizeBytes", volume.settings().blockSizeBytes())
        .put("preferredIoBytes", volume.geometry().preferredIoBytes())
        .put("maxIoBytes", QueueFrames.MAX_IO_BYTES)
        .put("maxHeldBytes", exchange.loop().plane().options().maxHeldBytes())
        .put("maxRanges", RangeHeader.RANGES_MAX);
    var digests = document.putArray("digests");
    Stream.of(ChecksumAlgorithm.values()).map(ChecksumAlgorithm::label).forEach(digests::add);
    document.put("engine", volume.running().spec().toString());
    document.set("fastPath", fastPath(volume));
    exchange
        .response()
        .putHeader(Fields.ALLOW, Target.Data.ALLOW)
        .putHeader(Fields.ACCEPT_RANGES, "bytes")
        .putHeader("Accept-Patch", "application/json");
    exchange.json(200, Json.write(document));
  }

  static ObjectNode fastPath(Volume volume) {
    FastPath fastPath = volume.running().fastPath();
    return JsonNodeFactory.instance
        .objectNode()
        .put("read", FastPath.word(fastPath.read()))
        .put("write", FastPath.word(fastPath.write()))
        .put("reason", fastPath.reason());
  }
}
