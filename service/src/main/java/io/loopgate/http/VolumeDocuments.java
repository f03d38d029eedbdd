package io.loopgate.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.engine.EngineOptions;
import io.loopgate.volume.Volume;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.util.Locale;

/**
 * The JSON documents of the control plane. Those of volumes ask the file system, so they are made
 * on control threads.
 */
final class VolumeDocuments {
  private VolumeDocuments() {}

  static byte[] index(String version) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("name", "loopgate").put("version", version);
    document
        .putObject("links")
        .put("self", "/v1")
        .put("volumes", "/v1/volumes")
        .put("openapi", "/openapi.yaml");
    return Json.write(document);
  }

  /**
   * Returns the strong tag of the part of a document that clients set: it stands still while bytes
   * are written.
   */
  static String tag(Volume volume) {
    return "\"" + volume.incarnation() + "-v" + volume.revision() + "\"";
  }

  static ObjectNode volume(Volume volume) {
    VolumeSettings settings = volume.settings();
    VolumeLimits limits = settings.limits();
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document
        .put("id", volume.id())
        .put("sizeBytes", volume.sizeBytes())
        .put("blockSizeBytes", settings.blockSizeBytes())
        .put("readOnly", settings.readOnly())
        .put("backing", volume.backing().description())
        .put("direct", volume.isDirect());
    ObjectNode engine = document.putObject("engine");
    engine.put("name", volume.running().spec().toString());
    engine.put("reason", volume.running().reason());
    EngineOptions options = settings.options();
    engine
        .put("queues", options.queues())
        .put("depth", options.depth())
        .put("merge", options.merge())
        .put("punt", options.punt());
    engine.set("fastPath", OptionsHandler.fastPath(volume));
    document
        .put("nowait", lower(settings.nowait()))
        .put("durability", lower(volume.durability()))
        .put("alignment", lower(settings.alignment()));
    if (!volume.stable().available()) {
      document.put("durabilityReason", volume.stable().reason());
    }
    document
        .putObject("limits")
        .put("maxInFlight", limits.maxInFlight())
        .put("operationsPerSecond", limits.operationsPerSecond())
        .put("bytesPerSecond", limits.bytesPerSecond());
    document.put("state", volume.state().label()).put("poisoned", !volume.poison().isEmpty());
    document
        .put("allocatedBytes", volume.backing().allocatedBytes())
        .put("sequence", volume.currentSequence());
    return document;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
