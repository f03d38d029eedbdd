package io.loopgate.config;

import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.util.List;

/** Writes a configuration as YAML, each value with its source as a comment. */
final class ConfigPrinter {
  private final EffectiveConfig effective;
  private final StringBuilder yaml = new StringBuilder(1024);

  ConfigPrinter(EffectiveConfig effective) {
    this.effective = effective;
  }

  String print() {
    ServerConfig config = effective.config();
    yaml.append("# The effective configuration of loopgate; give it back with --config.\n");
    text(ConfigKey.DATA_DIR, config.dataDir().toString());
    text(ConfigKey.LISTEN, config.listen().toString());
    text(ConfigKey.ADMIN, config.admin().toString());
    plain(ConfigKey.EVENT_LOOPS, String.valueOf(config.eventLoops()));
    text(ConfigKey.TRANSPORT, Values.name(config.transport()));
    plain(ConfigKey.UNSAFE_INLINE, String.valueOf(config.unsafeInline()));
    plain(ConfigKey.MAX_HELD_BYTES, Units.formatBytes(config.maxHeldBytes()));
    plain(ConfigKey.MAX_BUFFER_BYTES, Units.formatBytes(config.maxBufferBytes()));
    plain(ConfigKey.MAX_CONNECTIONS, String.valueOf(config.maxConnections()));
    plain(ConfigKey.MAX_LOOP_COMMANDS, String.valueOf(config.maxLoopCommands()));
    plain(ConfigKey.IDLE_TIMEOUT, Units.formatDuration(config.idleTimeout()));
    plain(ConfigKey.STALL_TIMEOUT, Units.formatDuration(config.stallTimeout()));
    plain(ConfigKey.SHUTDOWN_DELAY, Units.formatDuration(config.shutdownDelay()));
    plain(ConfigKey.DRAIN_TIMEOUT, Units.formatDuration(config.drainTimeout()));
    plain(ConfigKey.WARM_UP, Units.formatDuration(config.warmUp()));
    plain(ConfigKey.MAX_HEADER_BYTES, Units.formatBytes(config.maxHeaderBytes()));
    text(ConfigKey.LOG_LEVEL, Values.name(config.logLevel()));
    volumes(config.volumes());
    return yaml.toString();
  }

  private void text(ConfigKey key, String value) {
    plain(key, Quoting.yaml(value));
  }

  private void plain(ConfigKey key, String value) {
    line(key.key() + ": " + value, effective.places().getOrDefault(key, Origin.DEFAULT));
  }

  private void volumes(List<ConfiguredVolume> volumes) {
    if (volumes.isEmpty()) {
      line("volumes: []", effective.places().getOrDefault(ConfigKey.VOLUME, Origin.DEFAULT));
      return;
    }
    yaml.append("volumes:\n");
    for (int i = 0; i < volumes.size(); i++) {
      List<String> places = effective.volumePlaces();
      volume(volumes.get(i), i < places.size() ? places.get(i) : Origin.DEFAULT);
    }
  }

  private void volume(ConfiguredVolume volume, String place) {
    VolumeSettings settings = volume.settings();
    VolumeLimits limits = settings.limits();
    line("  - id: " + Quoting.yaml(settings.id()), place);
    member(VolumeKey.PATH, Quoting.yaml(settings.backing()));
    member(VolumeKey.ENGINE, Quoting.yaml(settings.engine()));
    member(VolumeKey.QUEUES, String.valueOf(settings.options().queues()));
    member(VolumeKey.DEPTH, String.valueOf(settings.options().depth()));
    member(VolumeKey.MERGE, String.valueOf(settings.options().merge()));
    member(VolumeKey.PUNT, String.valueOf(settings.options().punt()));
    member(VolumeKey.NOWAIT, Quoting.yaml(Values.name(settings.nowait())));
    member(VolumeKey.DIRECT, Quoting.yaml(Values.name(settings.direct())));
    member(VolumeKey.READONLY, String.valueOf(settings.readOnly()));
    member(VolumeKey.DURABILITY, Values.name(settings.durability()));
    member(VolumeKey.BLOCK_SIZE, String.valueOf(settings.blockSizeBytes()));
    member(VolumeKey.ALIGNMENT, Values.name(settings.alignment()));
    member(VolumeKey.MAX_IN_FLIGHT, String.valueOf(limits.maxInFlight()));
    member(VolumeKey.OPERATIONS_PER_SECOND, String.valueOf(limits.operationsPerSecond()));
    member(VolumeKey.BYTES_PER_SECOND, String.valueOf(limits.bytesPerSecond()));
    volume.createSizeBytes().ifPresent(bytes -> member(VolumeKey.SIZE, Units.formatBytes(bytes)));
  }

  private void member(VolumeKey key, String value) {
    yaml.append("    ").append(key.key()).append(": ").append(value).append('\n');
  }

  private void line(String text, String place) {
    yaml.append(text).append(" # ").append(Quoting.comment(place)).append('\n');
  }
}
