package io.loopgate.app;

import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import io.loopgate.config.ConfiguredVolume;
import io.loopgate.config.HostPort;
import io.loopgate.config.ServerConfig;
import io.loopgate.engine.EngineSelector;
import io.loopgate.http.DataPlane;
import io.loopgate.http.DataVerticle;
import io.loopgate.http.ExpressRegistry;
import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.volume.ControlThreads;
import io.loopgate.volume.DataFolder;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeOpener;
import io.loopgate.volume.VolumeRegistry;
import io.loopgate.volume.VolumeSettings;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests through the whole path before a server says that it is ready, so that the compiler
 * is done with it when clients come: cold, the p99 of the first requests is ten times that of later
 * ones, as the compiler takes the processor from them.
 *
 * <p>The requests go to a data port of their own, on loopback and a free port, over files of their
 * own that have no name while they are used, with the engines of the configured volumes and
 * counters that nobody reads. So nothing of it shows in metrics, tags or the volumes. A warm-up
 * that cannot be is a line in the log, and no reason not to start.
 */
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final long VOLUME_BYTES = 8L << 20;

  /** More than one, since requests of one connection may be for several. */
  private static final int VOLUMES = 2;

  private static final Duration STEP_TIMEOUT = Duration.ofSeconds(10);

  private final ServerConfig config;
  private final Path folder;

  private WarmUp(ServerConfig config, Path folder) {
    this.config = config;
    this.folder = folder;
  }

  /**
   * Warms up until nothing more is compiled, for at most as long as the configuration says and a
   * while to clean up: a disk that hangs is no reason not to become ready.
   */
  static void run(ServerConfig config) {
    if (config.warmUp().isZero()) {
      return;
    }
    Thread warmUp =
        Thread.ofPlatform().daemon().name("loopgate-warm-up").start(() -> warmUp(config));
    try {
      if (!warmUp.join(config.warmUp().plus(STEP_TIMEOUT))) {
        LOG.warn("the warm-up does not end; it is left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void warmUp(ServerConfig config) {
    long startNanos = System.nanoTime();
    try {
      Path folder = Files.createTempDirectory(home(config), ".warm-up-");
      int done = new WarmUp(config, folder).load(startNanos);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      LOG.debug("warmed up with {} requests in {} ms", done, millis);
    } catch (IOException | RuntimeException e) {
      LOG.warn("not warmed up, so the first requests will be slower: {}", e.toString());
    }
  }

  /** The data folder has the file system that volumes are on; it may be read-only. */
  private static Path home(ServerConfig config) {
    Path data = config.dataDir();
    return Files.isWritable(data) ? data : Path.of(System.getProperty("java.io.tmpdir"));
  }

  private int load(long startNanos) throws IOException {
    ExpressRegistry express = new ExpressRegistry();
    // Not closed before the process ends: a ring of io_uring had better not be.
    Vertx vertx = Transports.choose(config.transport()).vertx(1, express);
    DataVerticle verticle = new DataVerticle(new AtomicInteger());
    settle(vertx.deployVerticle(verticle));
    VolumeRegistry volumes = volumes(verticle);
    try (ControlThreads control = new ControlThreads()) {
      List<String> ids = open(volumes);
      // Now: a process that is told to stop meanwhile does not come back here.
      Files.delete(folder);
      if (ids.isEmpty()) {
        return 0;
      }
      int port = settle(verticle.listen(plane(volumes, control, express)));
      long deadlineNanos = startNanos + config.warmUp().toNanos();
      try (WarmUpClient client = new WarmUpClient(port, ids, VOLUME_BYTES)) {
        return client.load(deadlineNanos);
      } finally {
        settle(verticle.shutdown(STEP_TIMEOUT));
      }
    } finally {
      volumes.close(STEP_TIMEOUT);
    }
  }

  private VolumeRegistry volumes(DataVerticle verticle) {
    VolumeOpener opener =
        new VolumeOpener(Backings::open, new EngineSelector(), List.of(verticle.loop()), false);
    return new VolumeRegistry(opener, new DataFolder(folder, FileBackings::create));
  }

  private List<String> open(VolumeRegistry volumes) throws IOException {
    List<String> ids = new ArrayList<>();
    for (VolumeSettings like : kinds()) {
      String id = "warm-up-" + ids.size();
      Path file = folder.resolve(id + ".img");
      try {
        volumes.openConfigured(settings(id, file, like), OptionalLong.of(VOLUME_BYTES));
        ids.add(id);
      } catch (RuntimeException e) {
        LOG.debug("no warm-up for engine {}: {}", like.engine(), e.toString());
      }
      // It lives as long as it is open, and not beyond the process.
      Files.deleteIfExists(file);
    }
    return ids;
  }

  /** Returns what to open: one of each kind that is configured, so many in all. */
  private List<VolumeSettings> kinds() {
    List<VolumeSettings> kinds = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    List<ConfiguredVolume> configured =
        config.volumes().isEmpty() ? List.of(config.demo()) : config.volumes();
    for (ConfiguredVolume volume : configured) {
      VolumeSettings settings = volume.settings();
      if (kinds.size() < VOLUMES && seen.add(settings.engine() + settings.direct())) {
        kinds.add(settings);
      }
    }
    while (kinds.size() < VOLUMES) {
      kinds.add(kinds.getFirst());
    }
    return kinds;
  }

  private static VolumeSettings settings(String id, Path file, VolumeSettings like) {
    VolumeSettings plain = VolumeSettings.of(id, file.toString());
    return new VolumeSettings(
        id,
        file.toString(),
        like.engine(),
        like.options(),
        like.nowait(),
        like.direct(),
        false,
        Durability.WRITEBACK,
        plain.blockSizeBytes(),
        plain.alignment(),
        plain.limits());
  }

  private DataPlane plane(VolumeRegistry volumes, ControlThreads control, ExpressRegistry express) {
    return new DataPlane(
        Server.options(config, new HostPort("127.0.0.1", 0)),
        volumes,
        control,
        new HttpTelemetry(DataPlane.problemCodes()),
        Version.version(),
        new AtomicBoolean(),
        new AtomicInteger(),
        1,
        express);
  }

  private static <T> T settle(io.vertx.core.Future<T> future) throws IOException {
    try {
      return future.await(STEP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      // A future's await throws whatever it failed with, checked or not.
      throw new IOException(e);
    }
  }
}
