package io.loopgate.config;

import io.loopgate.volume.VolumeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything a user decides about one server, checked.
 *
 * @param dataDir folder of volumes made here and of the demo volume
 * @param listen address of the data port
 * @param admin address of the admin port
 * @param eventLoops number of event loops; 0 is one for each core
 * @param transport how sockets are served
 * @param volumes what is served from the start
 * @param unsafeInline whether the inline engine may run on a backing that blocks
 * @param maxHeldBytes the longest body that is held until it is checked
 * @param maxBufferBytes bytes in flight over all connections
 * @param maxConnections connections open at a time
 * @param maxLoopCommands commands in flight at a time on an event loop, over all volumes
 * @param idleTimeout how long a connection may have no request
 * @param stallTimeout how long a client may stop reading or writing midway
 * @param shutdownDelay how long readiness is false before connections are refused
 * @param drainTimeout how long requests in flight may take at shutdown
 * @param warmUp how long it may send requests to itself before it is ready; zero: not at all
 * @param maxHeaderBytes the longest header of a request
 * @param logLevel what is logged
 */
public record ServerConfig(
    Path dataDir,
    HostPort listen,
    HostPort admin,
    int eventLoops,
    Transport transport,
    List<ConfiguredVolume> volumes,
    boolean unsafeInline,
    long maxHeldBytes,
    long maxBufferBytes,
    int maxConnections,
    int maxLoopCommands,
    Duration idleTimeout,
    Duration stallTimeout,
    Duration shutdownDelay,
    Duration drainTimeout,
    Duration warmUp,
    int maxHeaderBytes,
    LogLevel logLevel) {
  /** The volume that a server without any volume makes. */
  public static final String DEMO_ID = "demo";

  /** The size of the demo volume. */
  public static final long DEMO_SIZE_BYTES = 1L << 30;

  /** The least hold bound: the wire contract promises it. */
  public static final long LEAST_HELD_BYTES = 1L << 20;

  private static final long MOST_HELD_BYTES = 1L << 30;
  private static final long MOST_BUFFER_BYTES = 1L << 40;
  private static final Duration LONGEST = Duration.ofHours(24);

  /** Checks every bound; the message names the key. */
  public ServerConfig {
    volumes = List.copyOf(volumes);
    checkNumber(ConfigKey.EVENT_LOOPS, eventLoops, 0, 1_024);
    checkNumber(ConfigKey.MAX_CONNECTIONS, maxConnections, 1, 1_000_000);
    checkNumber(ConfigKey.MAX_LOOP_COMMANDS, maxLoopCommands, 1, 1_000_000);
    checkBytes(ConfigKey.MAX_HELD_BYTES, maxHeldBytes, LEAST_HELD_BYTES, MOST_HELD_BYTES);
    checkBytes(ConfigKey.MAX_BUFFER_BYTES, maxBufferBytes, LEAST_HELD_BYTES, MOST_BUFFER_BYTES);
    checkBytes(ConfigKey.MAX_HEADER_BYTES, maxHeaderBytes, 1L << 10, 1L << 20);
    checkDuration(ConfigKey.IDLE_TIMEOUT, idleTimeout, Duration.ofMillis(1));
    checkDuration(ConfigKey.STALL_TIMEOUT, stallTimeout, Duration.ofMillis(1));
    checkDuration(ConfigKey.SHUTDOWN_DELAY, shutdownDelay, Duration.ZERO);
    checkDuration(ConfigKey.DRAIN_TIMEOUT, drainTimeout, Duration.ZERO);
    checkDuration(ConfigKey.WARM_UP, warmUp, Duration.ZERO);
    if (maxHeldBytes > maxBufferBytes) {
      throw new InvalidSettingException(
          ConfigKey.MAX_HELD_BYTES,
          "has to be at most max-buffer-bytes ("
              + Units.formatBytes(maxBufferBytes)
              + "), not "
              + Units.formatBytes(maxHeldBytes));
    }
    if (listen.equals(admin) && listen.port() != 0) {
      throw new InvalidSettingException(
          ConfigKey.ADMIN, "has to differ from listen: both are " + listen);
    }
    checkIds(volumes);
  }

  /** Returns what a server does when nobody configures anything. */
  public static ServerConfig defaults() {
    return ConfigResolver.resolve(List.of()).config();
  }

  /**
   * Returns the volume to make and serve when none is configured and the data folder is empty: a
   * first start serves something.
   */
  public ConfiguredVolume demo() {
    String file = dataDir.resolve(DEMO_ID + ".img").toString();
    return ConfiguredVolume.created(VolumeSettings.of(DEMO_ID, file), DEMO_SIZE_BYTES);
  }

  /** Returns the same with other volumes. */
  public ServerConfig withVolumes(List<ConfiguredVolume> newVolumes) {
    return new ServerConfig(
        dataDir,
        listen,
        admin,
        eventLoops,
        transport,
        newVolumes,
        unsafeInline,
        maxHeldBytes,
        maxBufferBytes,
        maxConnections,
        maxLoopCommands,
        idleTimeout,
        stallTimeout,
        shutdownDelay,
        drainTimeout,
        warmUp,
        maxHeaderBytes,
        logLevel);
  }

  /** Returns the same with another limit for its warm-up. */
  public ServerConfig withWarmUp(Duration newWarmUp) {
    return new ServerConfig(
        dataDir,
        listen,
        admin,
        eventLoops,
        transport,
        volumes,
        unsafeInline,
        maxHeldBytes,
        maxBufferBytes,
        maxConnections,
        maxLoopCommands,
        idleTimeout,
        stallTimeout,
        shutdownDelay,
        drainTimeout,
        newWarmUp,
        maxHeaderBytes,
        logLevel);
  }

  /** Returns the same in another folder and at other addresses. */
  public ServerConfig at(Path newDataDir, HostPort newListen, HostPort newAdmin) {
    return new ServerConfig(
        newDataDir,
        newListen,
        newAdmin,
        eventLoops,
        transport,
        volumes,
        unsafeInline,
        maxHeldBytes,
        maxBufferBytes,
        maxConnections,
        maxLoopCommands,
        idleTimeout,
        stallTimeout,
        shutdownDelay,
        drainTimeout,
        warmUp,
        maxHeaderBytes,
        logLevel);
  }

  private static void checkNumber(ConfigKey key, long number, long least, long most) {
    if (number < least || number > most) {
      throw new InvalidSettingException(
          key, "has to be " + least + " to " + most + ", not " + number);
    }
  }

  private static void checkBytes(ConfigKey key, long bytes, long least, long most) {
    if (bytes < least || bytes > most) {
      throw new InvalidSettingException(
          key,
          "has to be "
              + Units.formatBytes(least)
              + " to "
              + Units.formatBytes(most)
              + ", not "
              + Units.formatBytes(bytes));
    }
  }

  private static void checkDuration(ConfigKey key, Duration duration, Duration least) {
    if (duration.compareTo(least) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new InvalidSettingException(
          key, "has to be " + Units.formatDuration(least) + " to 24h");
    }
    if (!Duration.ofMillis(duration.toMillis()).equals(duration)) {
      throw new InvalidSettingException(key, "has to be whole milliseconds");
    }
  }

  private static void checkIds(List<ConfiguredVolume> volumes) {
    Set<String> ids = new HashSet<>();
    for (ConfiguredVolume volume : volumes) {
      if (!ids.add(volume.settings().id())) {
        throw new InvalidSettingException(
            ConfigKey.VOLUME, "id \"" + volume.settings().id() + "\" is given twice");
      }
    }
  }
}
