package io.loopgate.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.ChecksumAlgorithm;
import io.loopgate.volume.Durability;
import io.loopgate.volume.EngineOptionsUpdate;
import io.loopgate.volume.VolumeCreation;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import io.loopgate.volume.VolumeUpdate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads what clients of the control plane want: strictly, so that a typo is an error and not a
 * default. Stateless.
 */
final class VolumeRequests {
  private static final Set<String> CREATE =
      Set.of(
          "id",
          "sizeBytes",
          "blockSizeBytes",
          "readOnly",
          "engine",
          "queues",
          "depth",
          "merge",
          "punt",
          "durability",
          "limits",
          "backing",
          "direct",
          "nowait",
          "alignment");
  private static final Set<String> UPDATE =
      Set.of(
          "sizeBytes",
          "allowShrink",
          "readOnly",
          "engine",
          "queues",
          "depth",
          "merge",
          "punt",
          "limits");
  private static final Set<String> LIMITS =
      Set.of("maxInFlight", "operationsPerSecond", "bytesPerSecond");

  private VolumeRequests() {}

  static VolumeCreation creation(byte[] body, String idempotencyKey) {
    try {
      ObjectNode json = Json.readObject(body, CREATE);
      long size = Json.required(Json.number(json, "sizeBytes"), "sizeBytes");
      VolumeSettings settings =
          new VolumeSettings(
              Json.required(Json.text(json, "id"), "id"),
              Json.text(json, "backing").orElse(VolumeCreation.DEFAULT_BACKING),
              Json.text(json, "engine").orElse("auto"),
              options(json).appliedTo(EngineOptions.DEFAULT),
              choice(json, "nowait", NowaitMode.class, NowaitMode.AUTO),
              Json.bool(json, "direct").map(DirectIo::of).orElse(DirectIo.AUTO),
              Json.bool(json, "readOnly").orElse(false),
              choice(json, "durability", Durability.class, Durability.DURABLE),
              blockSize(json),
              choice(json, "alignment", AlignmentPolicy.class, AlignmentPolicy.ANY),
              limits(json, VolumeLimits.DEFAULT).orElse(VolumeLimits.DEFAULT));
      checkSize(size, settings.blockSizeBytes());
      return new VolumeCreation(settings, size, idempotencyKey, digest(body));
    } catch (Json.BadJson | IllegalArgumentException e) {
      throw ProblemException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  static VolumeUpdate update(byte[] body, VolumeSettings before) {
    try {
      ObjectNode json = Json.readObject(body, UPDATE);
      Optional<Long> size = Json.number(json, "sizeBytes");
      if (size.isPresent()) {
        checkSize(size.get(), before.blockSizeBytes());
      }
      return new VolumeUpdate(
          size.isPresent() ? OptionalLong.of(size.get()) : OptionalLong.empty(),
          Json.bool(json, "allowShrink").orElse(false),
          Json.bool(json, "readOnly"),
          Json.text(json, "engine"),
          options(json),
          limits(json, before.limits()));
    } catch (Json.BadJson | IllegalArgumentException e) {
      throw ProblemException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static EngineOptionsUpdate options(ObjectNode json) throws Json.BadJson {
    return new EngineOptionsUpdate(
        smallNumber(json, "queues"),
        smallNumber(json, "depth"),
        Json.bool(json, "merge"),
        Json.bool(json, "punt"));
  }

  private static Optional<Integer> smallNumber(ObjectNode json, String name) throws Json.BadJson {
    return Json.number(json, name)
        .map(number -> Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static int blockSize(ObjectNode json) throws Json.BadJson {
    long blockSize =
        Json.number(json, "blockSizeBytes").orElse((long) VolumeSettings.DEFAULT_BLOCK_SIZE_BYTES);
    return (int) Math.min(blockSize, Integer.MAX_VALUE);
  }

  private static void checkSize(long sizeBytes, int blockSizeBytes) throws Json.BadJson {
    if (sizeBytes < 1 || sizeBytes % blockSizeBytes != 0) {
      throw new Json.BadJson(
          "\"sizeBytes\" has to be a positive multiple of the block size "
              + blockSizeBytes
              + ", not "
              + sizeBytes);
    }
  }

  private static Optional<VolumeLimits> limits(ObjectNode json, VolumeLimits before)
      throws Json.BadJson {
    if (json.get("limits") == null) {
      return Optional.empty();
    }
    if (!(json.get("limits") instanceof ObjectNode limits)) {
      throw new Json.BadJson("\"limits\" has to be an object");
    }
    Json.refuseUnknown(limits, LIMITS);
    long maxInFlight = Json.number(limits, "maxInFlight").orElse((long) before.maxInFlight());
    return Optional.of(
        new VolumeLimits(
            (int) Math.min(maxInFlight, Integer.MAX_VALUE),
            Json.number(limits, "operationsPerSecond").orElse(before.operationsPerSecond()),
            Json.number(limits, "bytesPerSecond").orElse(before.bytesPerSecond())));
  }

  private static <E extends Enum<E>> E choice(ObjectNode json, String name, Class<E> type, E absent)
      throws Json.BadJson {
    Optional<String> text = Json.text(json, name);
    if (text.isEmpty()) {
      return absent;
    }
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(text.get())) {
        return value;
      }
    }
    throw new Json.BadJson(
        "\""
            + name
            + "\" cannot be \""
            + text.get()
            + "\"; it can be "
            + java.util.stream.Stream.of(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList());
  }

  private static String digest(byte[] body) {
    ChecksumAlgorithm.Digest digest = ChecksumAlgorithm.SHA_256.start();
    digest.update(body);
    return HexFormat.of().formatHex(digest.finish());
  }
}
