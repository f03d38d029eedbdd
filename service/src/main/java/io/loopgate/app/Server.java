package io.loopgate.app;

import io.loopgate.admin.AdminInputs;
import io.loopgate.admin.AdminVerticle;
import io.loopgate.admin.BuildInfo;
import io.loopgate.admin.Lifecycle;
import io.loopgate.admin.LoopWatch;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import io.loopgate.config.ConfiguredVolume;
import io.loopgate.config.HostPort;
import io.loopgate.config.ServerConfig;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopContext;
import io.loopgate.http.DataPlane;
import io.loopgate.http.DataPlaneOptions;
import io.loopgate.http.DataVerticle;
import io.loopgate.http.ExpressRegistry;
import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.volume.ControlThreads;
import io.loopgate.volume.DataFolder;
import io.loopgate.volume.VolumeException;
import io.loopgate.volume.VolumeOpener;
import io.loopgate.volume.VolumeRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One running server: starts in order, reports, and stops in the opposite order. For one thread,
 * which may block.
 *
 * <p>Start: admin port (so that probes are answered), event loops, volumes, data port, warm-up,
 * ready. Stop: not ready, a wait for the load balancer, no new requests, those in flight end,
 * volumes flush and close, ports close.
 */
final class Server {
  private static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final ServerConfig config;
  private final Vertx vertx;
  private final ExpressRegistry express;
  private final String transport;
  private final HttpTelemetry telemetry = new HttpTelemetry(DataPlane.problemCodes());
  private final LoopWatch loopWatch = new LoopWatch();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final List<DataVerticle> dataVerticles = new ArrayList<>();
  private final ControlThreads control = new ControlThreads();
  private final ServerStatus status;
  private final VolumeRegistry volumes;
  private int dataPort;
  private int adminPort;

  private Server(ServerConfig config, Vertx vertx, String transport, ExpressRegistry express) {
    this.express = express;
    this.config = config;
    this.vertx = vertx;
    this.transport = transport;
    List<LoopContext> loops = deployLoops();
    VolumeOpener opener =
        new VolumeOpener(Backings::open, new EngineSelector(), loops, config.unsafeInline());
    this.volumes =
        new VolumeRegistry(opener, new DataFolder(config.dataDir(), FileBackings::create));
    this.status = new ServerStatus(volumes);
  }

  /**
   * Starts a server.
   *
   * @throws StartException with one line for the operator; nothing is left running
   */
  static Server start(ServerConfig config) {
    int loops =
        config.eventLoops() > 0 ? config.eventLoops() : Runtime.getRuntime().availableProcessors();
    Transports.Choice transport = Transports.choose(config.transport());
    ExpressRegistry express = new ExpressRegistry();
    Vertx vertx = transport.vertx(loops + 1, express);
    try {
      Server server = new Server(config, vertx, transport.name(), express);
      try {
        server.open();
        return server;
      } catch (RuntimeException e) {
        server.volumes.close(Duration.ZERO);
        throw e;
      }
    } catch (BackingException | VolumeException e) {
      vertx.close();
      throw new StartException(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private int loopCount() {
    return config.eventLoops() > 0
        ? config.eventLoops()
        : Runtime.getRuntime().availableProcessors();
  }

  private List<LoopContext> deployLoops() {
    AtomicInteger numbers = new AtomicInteger();
    List<LoopContext> loops = new ArrayList<>();
    for (int i = 0; i < loopCount(); i++) {
      DataVerticle verticle = new DataVerticle(numbers);
      await(vertx.deployVerticle(verticle), "start an event loop");
      dataVerticles.add(verticle);
      loops.add(verticle.loop());
    }
    return loops;
  }

  private void open() {
    AdminVerticle admin =
        new AdminVerticle(
            config.admin().host(),
            config.admin().port(),
            new AdminInputs(status, telemetry, loopWatch, BuildInfo.detect()));
    // Its metrics take as long to prepare as all that follows; probes are answered meanwhile, also
    // while a volume's file system keeps us waiting.
    Future<String> adminStarted = vertx.deployVerticle(admin);
    openVolumes();
    listen();
    await(adminStarted, "listen on the admin address " + config.admin());
    adminPort = admin.actualPort();
  }

  private void openVolumes() {
    for (ConfiguredVolume volume : config.volumes()) {
      volumes.openConfigured(volume.settings(), volume.createSizeBytes());
    }
    volumes.openStored();
    ConfiguredVolume demo = config.demo();
    boolean firstStart = volumes.list().isEmpty();
    boolean madeBefore =
        config.volumes().isEmpty()
            && Files.exists(config.dataDir().resolve(ServerConfig.DEMO_ID + ".img"))
            && volumes.find(ServerConfig.DEMO_ID).isEmpty();
    if (firstStart || madeBefore) {
      volumes.openConfigured(demo.settings(), demo.createSizeBytes());
    }
  }

  /** Returns what is configured for a data plane at an address. */
  static DataPlaneOptions options(ServerConfig config, HostPort address) {
    return new DataPlaneOptions(
        address.host(),
        address.port(),
        (int) config.maxHeldBytes(),
        config.maxBufferBytes(),
        config.maxConnections(),
        config.maxLoopCommands(),
        config.maxHeaderBytes(),
        config.idleTimeout(),
        config.stallTimeout());
  }

  private void listen() {
    DataPlane plane =
        new DataPlane(
            options(config, config.listen()),
            volumes,
            control,
            telemetry,
            Version.version(),
            draining,
            new AtomicInteger(),
            dataVerticles.size(),
            express);
    for (DataVerticle verticle : dataVerticles) {
      dataPort = await(verticle.listen(plane), "listen on the data address " + config.listen());
      verticle.context().runOnContext(go -> loopWatch.watch(vertx, telemetry));
    }
  }

  /** Warms up, and then says that it is ready, unless it was told to stop meanwhile. */
  void becomeReady() {
    WarmUp.run(config);
    status.ready();
  }

  /** Returns the port of metrics, health and the status page. */
  int adminPort() {
    return adminPort;
  }

  /** Returns what an operator wants to know at start. */
  List<String> report() {
    return StartReport.lines(config, transport, dataVerticles.size(), dataPort, adminPort, volumes);
  }

  /**
   * Stops in order; returns whether every accepted request was answered and every flush succeeded.
   */
  boolean stop() {
    status.lifecycle(Lifecycle.DRAINING);
    pause(config.shutdownDelay());
    draining.set(true);
    long deadline = System.nanoTime() + config.drainTimeout().toNanos();
    // Requests that come now are told to go elsewhere; then connections without any are closed.
    awaitQuiet(Math.min(deadline, System.nanoTime() + GOODBYE.toNanos()));
    boolean clean = true;
    List<Future<Void>> shutdowns =
        dataVerticles.stream().map(verticle -> verticle.shutdown(left(deadline))).toList();
    for (Future<Void> shutdown : shutdowns) {
      clean &= settles(shutdown, left(deadline).plus(GOODBYE));
    }
    awaitQuiet(deadline);
    clean &= volumes.close(left(deadline));
    control.close();
    status.lifecycle(Lifecycle.STOPPED);
    settles(vertx.close(), STEP_TIMEOUT);
    return clean;
  }

  private static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private void awaitQuiet(long deadlineNanos) {
    while (telemetry.inFlight() > 0 && System.nanoTime() - deadlineNanos < 0) {
      pause(Duration.ofMillis(5));
    }
  }

  private static void pause(Duration duration) {
    try {
      TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean settles(Future<Void> future, Duration timeout) {
    try {
      future.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  private static <T> T await(Future<T> future, String what) {
    try {
      return future.await(STEP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new StartException("could not " + what + " in " + STEP_TIMEOUT.toSeconds() + " s");
    } catch (Exception e) {
      // A future's await throws whatever it failed with, checked or not.
      throw new StartException("could not " + what + ": " + e.getMessage());
    }
  }
}
