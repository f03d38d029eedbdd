package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.linear.LinearBacking;
import io.loopgate.backing.linear.LinearSpec;
import io.loopgate.backing.open.Backings;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopContext;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.ControlThreads;
import io.loopgate.volume.DataFolder;
import io.loopgate.volume.Durability;
import io.loopgate.volume.Volume;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeOpener;
import io.loopgate.volume.VolumeRegistry;
import io.loopgate.volume.VolumeSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A data port in this process, on any port, over a folder below target; every backing is a {@link
 * FaultyBacking}. When it closes, nothing may be in flight, held or leaked.
 */
final class TestServer implements AutoCloseable {
  static final int SIZE = 1 << 20;
  static final String DATA = "/v1/volumes/v/data";
  private static final String LINEAR = "linear:";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LeakWatch leaks = new LeakWatch();
  private final Map<Path, FaultyBacking> backings = new ConcurrentHashMap<>();
  private final List<DataVerticle> verticles = new ArrayList<>();
  private final Vertx vertx;
  private final Path folder;
  private final DataPlane plane;
  private final int port;

  /** The bounds of a server, to be changed before it starts. */
  static final class Bounds {
    private int loops = 2;
    private int maxHeldBytes = 1 << 20;
    private long maxBufferBytes = 64 << 20;
    private int maxConnections = 1000;
    private int maxLoopCommands = 1000;
    private int maxHeaderBytes = 16 << 10;
    private Duration idleTimeout = Duration.ofMinutes(1);
    private Duration stallTimeout = Duration.ofMinutes(1);

    Bounds loops(int count) {
      loops = count;
      return this;
    }

    Bounds maxBufferBytes(long bytes) {
      maxBufferBytes = bytes;
      return this;
    }

    Bounds maxConnections(int count) {
      maxConnections = count;
      return this;
    }

    Bounds maxLoopCommands(int count) {
      maxLoopCommands = count;
      return this;
    }

    Bounds idleTimeout(Duration timeout) {
      idleTimeout = timeout;
      return this;
    }

    Bounds stallTimeout(Duration timeout) {
      stallTimeout = timeout;
      return this;
    }

    TestServer start() throws IOException {
      return new TestServer(this);
    }
  }

  /** Starts with the usual bounds and an empty volume {@code v} of {@link #SIZE} bytes. */
  static TestServer start() throws IOException {
    TestServer server = new Bounds().start();
    server.open("v");
    return server;
  }

  private TestServer(Bounds bounds) throws IOException {
    folder =
        Files.createTempDirectory(Files.createDirectories(Path.of("target", "http")), "t")
            .toAbsolutePath();
    ExpressRegistry express = new ExpressRegistry();
    vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(bounds.loops + 1))
            .withTransport(new ExpressTransport(Transport.nativeTransport(), express))
            .build();
    AtomicInteger numbers = new AtomicInteger();
    List<LoopContext> contexts = new ArrayList<>();
    for (int i = 0; i < bounds.loops; i++) {
      DataVerticle verticle = new DataVerticle(numbers);
      await(vertx.deployVerticle(verticle));
      verticles.add(verticle);
      contexts.add(verticle.loop());
    }
    VolumeOpener opener =
        new VolumeOpener(this::openBacking, new EngineSelector(), contexts, false);
    plane =
        new DataPlane(
            new DataPlaneOptions(
                "127.0.0.1",
                0,
                bounds.maxHeldBytes,
                bounds.maxBufferBytes,
                bounds.maxConnections,
                bounds.maxLoopCommands,
                bounds.maxHeaderBytes,
                bounds.idleTimeout,
                bounds.stallTimeout),
            new VolumeRegistry(opener, new DataFolder(folder, FileBackings::create)),
            new ControlThreads(),
            new HttpTelemetry(DataPlane.problemCodes()),
            "test",
            new AtomicBoolean(),
            new AtomicInteger(),
            bounds.loops,
            express);
    List<Integer> ports =
        verticles.stream().map(verticle -> await(verticle.listen(plane))).distinct().toList();
    assertThat(ports).as("all loops share one port").hasSize(1);
    port = ports.getFirst();
  }

  private Backing openBacking(String name, OpenOptions options) {
    if (name.startsWith(LINEAR)) {
      // The segments fail as told: around the whole nobody would see that it has any.
      List<Backing> segments =
          LinearSpec.segments(name.substring(LINEAR.length())).stream()
              .map(segment -> openBacking(segment, options))
              .toList();
      return LinearBacking.join(name, segments, options.blockSizeBytes());
    }
    FaultyBacking backing = new FaultyBacking(Backings.open(name, options));
    backings.put(Path.of(name), backing);
    return backing;
  }

  /** Returns settings whose every command reaches the backing's {@code execute}. */
  VolumeSettings settings(String id) {
    return settings(id, Durability.DURABLE, AlignmentPolicy.ANY, VolumeLimits.DEFAULT);
  }

  VolumeSettings settings(
      String id, Durability durability, AlignmentPolicy alignment, VolumeLimits limits) {
    return new VolumeSettings(
        id,
        file(id).toString(),
        "workers:2",
        EngineOptions.DEFAULT,
        NowaitMode.OFF,
        DirectIo.AUTO,
        false,
        durability,
        512,
        alignment,
        limits);
  }

  Path file(String id) {
    return folder.resolve(id + ".raw");
  }

  Path folder() {
    return folder;
  }

  Volume open(String id) {
    return open(settings(id));
  }

  Volume open(VolumeSettings settings) {
    return plane.volumes().openConfigured(settings, OptionalLong.of(SIZE));
  }

  Volume open(VolumeSettings settings, long sizeBytes) {
    return plane.volumes().openConfigured(settings, OptionalLong.of(sizeBytes));
  }

  Optional<Volume> find(String id) {
    return plane.volumes().find(id);
  }

  Volume volume(String id) {
    return find(id).orElseThrow();
  }

  /** Opens a volume whose backing is there already, or is no file. */
  Volume openOn(String id, String backing) {
    return plane.volumes().openConfigured(VolumeSettings.of(id, backing), OptionalLong.empty());
  }

  /** Returns the backing of a volume opened by {@link #open}. */
  FaultyBacking faults(String id) {
    return faultsOf(file(id));
  }

  /** Returns a backing by its name, or a segment of one. */
  FaultyBacking faultsOf(Path name) {
    FaultyBacking backing = backings.get(name);
    if (backing == null) {
      throw new AssertionError("no backing " + name + " among " + backings.keySet());
    }
    return backing;
  }

  /** Begins to shut the data port down, as the end of the process does. */
  List<Future<Void>> shutdown(Duration timeout) {
    return verticles.stream().map(verticle -> verticle.shutdown(timeout)).toList();
  }

  HttpTelemetry telemetry() {
    return plane.telemetry();
  }

  DataPlane plane() {
    return plane;
  }

  int port() {
    return port;
  }

  Vertx vertx() {
    return vertx;
  }

  RawConnection connect() throws IOException {
    return new RawConnection(port);
  }

  /** Returns bytes that differ from seed to seed. */
  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Waits until something holds. */
  static void eventually(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until no request is being served and no buffer is held. */
  void awaitQuiet() {
    eventually("no request in flight", () -> telemetry().inFlight() == 0);
    eventually("no bytes held", () -> telemetry().heldBytes() == 0);
    eventually(
        "no request in a volume",
        () -> plane.volumes().list().stream().allMatch(volume -> volume.inFlight() == 0));
  }

  @Override
  public void close() {
    backings.values().forEach(FaultyBacking::release);
    try {
      awaitQuiet();
      assertThat(telemetry().heldBytes()).isZero();
    } finally {
      verticles.forEach(verticle -> await(verticle.shutdown(Duration.ofMillis(100))));
      plane.volumes().close(Duration.ofSeconds(5));
      plane.control().close();
      await(vertx.close());
    }
    try (leaks) {
      leaks.assertNone();
    }
    deleteFiles();
  }

  private void deleteFiles() {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
