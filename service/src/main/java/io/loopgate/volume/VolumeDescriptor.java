package io.loopgate.volume;

import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import java.util.Locale;
import java.util.Properties;

/**
 * What the data folder remembers of a volume that was created over HTTP.
 *
 * @param settings its settings; the backing is a path relative to the data folder
 * @param sizeBytes its size when it was created
 * @param ownsBacking whether its file was made with it, and goes with it
 * @param creating whether its file may not exist yet: written before the file, cleared after
 * @param idempotencyKey the key of the request that created it, or an empty text
 * @param requestDigest the digest of that request
 */
record VolumeDescriptor(
    VolumeSettings settings,
    long sizeBytes,
    boolean ownsBacking,
    boolean creating,
    String idempotencyKey,
    String requestDigest) {
  private static final String AUTO = "auto";

  VolumeDescriptor withSettings(VolumeSettings newSettings) {
    return new VolumeDescriptor(
        newSettings, sizeBytes, ownsBacking, creating, idempotencyKey, requestDigest);
  }

  VolumeDescriptor created() {
    return new VolumeDescriptor(
        settings, sizeBytes, ownsBacking, false, idempotencyKey, requestDigest);
  }

  Properties toProperties() {
    Properties properties = new Properties();
    properties.setProperty("id", settings.id());
    properties.setProperty("backing", settings.backing());
    properties.setProperty("engine", settings.engine());
    properties.setProperty("queues", Integer.toString(settings.options().queues()));
    properties.setProperty("depth", Integer.toString(settings.options().depth()));
    properties.setProperty("merge", Boolean.toString(settings.options().merge()));
    properties.setProperty("punt", Boolean.toString(settings.options().punt()));
    properties.setProperty("nowait", lower(settings.nowait()));
    properties.setProperty("direct", direct(settings.direct()));
    properties.setProperty("readOnly", Boolean.toString(settings.readOnly()));
    properties.setProperty("durability", lower(settings.durability()));
    properties.setProperty("blockSizeBytes", Integer.toString(settings.blockSizeBytes()));
    properties.setProperty("alignment", lower(settings.alignment()));
    VolumeLimits limits = settings.limits();
    properties.setProperty("maxInFlight", Integer.toString(limits.maxInFlight()));
    properties.setProperty("operationsPerSecond", Long.toString(limits.operationsPerSecond()));
    properties.setProperty("bytesPerSecond", Long.toString(limits.bytesPerSecond()));
    properties.setProperty("sizeBytes", Long.toString(sizeBytes));
    properties.setProperty("ownsBacking", Boolean.toString(ownsBacking));
    properties.setProperty("creating", Boolean.toString(creating));
    properties.setProperty("idempotencyKey", idempotencyKey);
    properties.setProperty("requestDigest", requestDigest);
    return properties;
  }

  /** Reads it back; throws {@link IllegalArgumentException} naming what is missing or wrong. */
  static VolumeDescriptor of(Properties properties) {
    VolumeLimits limits =
        new VolumeLimits(
            Integer.parseInt(required(properties, "maxInFlight")),
            Long.parseLong(required(properties, "operationsPerSecond")),
            Long.parseLong(required(properties, "bytesPerSecond")));
    VolumeSettings settings =
        new VolumeSettings(
            required(properties, "id"),
            required(properties, "backing"),
            required(properties, "engine"),
            options(properties),
            NowaitMode.valueOf(upper(required(properties, "nowait"))),
            direct(required(properties, "direct")),
            Boolean.parseBoolean(required(properties, "readOnly")),
            Durability.valueOf(upper(required(properties, "durability"))),
            Integer.parseInt(required(properties, "blockSizeBytes")),
            AlignmentPolicy.valueOf(upper(required(properties, "alignment"))),
            limits);
    return new VolumeDescriptor(
        settings,
        Long.parseLong(required(properties, "sizeBytes")),
        Boolean.parseBoolean(required(properties, "ownsBacking")),
        Boolean.parseBoolean(required(properties, "creating")),
        required(properties, "idempotencyKey"),
        required(properties, "requestDigest"));
  }

  /** Descriptors of older versions have none of these. */
  private static EngineOptions options(Properties properties) {
    EngineOptions defaults = EngineOptions.DEFAULT;
    return new EngineOptions(
        Integer.parseInt(properties.getProperty("queues", Integer.toString(defaults.queues()))),
        Integer.parseInt(properties.getProperty("depth", Integer.toString(defaults.depth()))),
        Boolean.parseBoolean(properties.getProperty("merge", Boolean.toString(defaults.merge()))),
        Boolean.parseBoolean(properties.getProperty("punt", Boolean.toString(defaults.punt()))));
  }

  /** Descriptors of older versions know on and off, by these names. */
  private static String direct(DirectIo direct) {
    return direct == DirectIo.AUTO ? AUTO : Boolean.toString(direct == DirectIo.ON);
  }

  private static DirectIo direct(String value) {
    return value.equals(AUTO) ? DirectIo.AUTO : DirectIo.of(Boolean.parseBoolean(value));
  }

  private static String required(Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("\"" + key + "\" is missing");
    }
    return value;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String upper(String value) {
    return value.toUpperCase(Locale.ROOT);
  }
}
