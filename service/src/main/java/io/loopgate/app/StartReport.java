package io.loopgate.app;

import io.loopgate.config.HostPort;
import io.loopgate.config.ServerConfig;
import io.loopgate.config.Units;
import io.loopgate.volume.FastPath;
import io.loopgate.volume.Volume;
import io.loopgate.volume.VolumeRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is printed when a server has started: where it listens, and for each volume which path its
 * bytes take.
 */
final class StartReport {
  private StartReport() {}

  static List<String> lines(
      ServerConfig config,
      String transport,
      int loops,
      int dataPort,
      int adminPort,
      VolumeRegistry volumes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "loopgate "
            + Version.version()
            + " on Java "
            + Runtime.version()
            + ", "
            + transport
            + ", "
            + loops
            + (loops == 1 ? " event loop" : " event loops"));
    lines.add("data   " + url(config.listen(), dataPort));
    lines.add("admin  " + url(config.admin(), adminPort));
    for (Volume volume : volumes.list()) {
      lines.add(
          "volume "
              + volume.id()
              + "  "
              + Units.formatBytes(volume.sizeBytes())
              + ", "
              + path(volume)
              + (volume.settings().readOnly() ? ", read-only" : "")
              + ", "
              + volume.durability().name().toLowerCase(Locale.ROOT)
              + "  "
              + volume.backing().description());
      lines.add("  engine     " + volume.running().spec() + " (" + volume.running().reason() + ")");
      if (!volume.stable().available()) {
        lines.add("  durability nothing is durable here (" + volume.stable().reason() + ")");
      }
      FastPath fastPath = volume.running().fastPath();
      lines.add(
          "  fast path  reads "
              + FastPath.word(fastPath.read())
              + ", writes "
              + FastPath.word(fastPath.write())
              + " ("
              + fastPath.reason()
              + ")");
    }
    return lines;
  }

  private static String path(Volume volume) {
    if (volume.isDirect()) {
      return "direct";
    }
    return volume.backing().capabilities().neverBlocks() ? "in memory" : "buffered";
  }

  private static String url(HostPort address, int port) {
    return "http://" + new HostPort(address.host(), port);
  }
}
