package io.loopgate.bench.http;

import io.loopgate.bench.load.LoadCounts;
import io.loopgate.bench.load.LoopTransport;
import io.loopgate.bench.load.Offsets;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Connections spread over event loops, all to one server, each with as many commands under way as
 * the workload says. For one control thread, which starts it, looks at it, and stops it.
 */
final class HttpLoad implements AutoCloseable {
  private static final Duration LOOP_ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final int CONNECT_TIMEOUT_MILLIS = 5000;
  private static final int RECEIVE_BYTES_MIN = 16 << 10;
  private static final int RECEIVE_BYTES_MAX = 256 << 10;

  private final Workload workload;
  private final EventLoopGroup group;
  private final List<Home> homes = new ArrayList<>();
  private final Errors errors = new Errors();

  /**
   * What is loaded and how.
   *
   * @param endpoint the server
   * @param sizeBytes how much of the volume is used, from its start
   * @param loops how many event loops there are
   * @param timeout how long an answer may take
   * @param model what is known of the bytes, if they are to be verified
   */
  record Plan(
      Endpoint endpoint, long sizeBytes, int loops, Duration timeout, Optional<BlockModel> model) {}

  /**
   * Makes the lanes; nothing is opened yet.
   *
   * @throws IllegalArgumentException if the workload and the server do not fit
   */
  HttpLoad(Workload workload, Plan plan, long seed) {
    this.workload = workload;
    Access access = workload.access();
    Wire wire = workload.wire().orElseThrow();
    plan.endpoint().urlOf(wire);
    if (wire.protocol() == Protocol.H1 && access.depth() > 1) {
      throw new IllegalArgumentException(
          "h1 has one request at a time on a connection: not depth, but connections");
    }
    if (wire.whole() && (wire.protocol() == Protocol.QUEUE || access.rw() != Rw.READ)) {
      throw new IllegalArgumentException("a whole volume can be read, and not over a queue");
    }
    LoopTransport transport = LoopTransport.EPOLL;
    int loops = Math.min(plan.loops(), access.jobs());
    this.group = transport.start(loops, new DefaultThreadFactory("bench-client", true));
    Bootstrap bootstrap = bootstrap(transport, plan.endpoint(), access);
    Home.Server server =
        new Home.Server(
            plan.endpoint(),
            plan.sizeBytes(),
            (lane, loop) -> connect(bootstrap, lane, loop),
            plan.timeout().toMillis());
    for (int i = 0; i < loops; i++) {
      Payloads payloads = new Payloads(plan.model(), access.blockBytesMax(), seed + i);
      homes.add(new Home(group.next(), server, wire, plan.model(), payloads, errors));
    }
    int bodyBytes = plan.model().map(BlockModel::blockBytes).orElse(0);
    for (int i = 0; i < access.jobs(); i++) {
      Offsets offsets = new Offsets(access, plan.sizeBytes(), i, seed);
      Home home = homes.get(i % loops);
      home.add(lane(home, offsets, access.depth(), bodyBytes));
    }
  }

  private static Lane lane(Home home, Offsets offsets, int depth, int bodyBytes) {
    return switch (home.wire().protocol()) {
      case H1 -> new H1Lane(home, offsets, bodyBytes);
      case H2 -> new H2Lane(home, offsets, depth, bodyBytes);
      case QUEUE -> new QueueLane(home, offsets, depth, bodyBytes);
    };
  }

  private static Bootstrap bootstrap(LoopTransport transport, Endpoint endpoint, Access access) {
    // An answer that fits needs one call to the kernel.
    int receive = Math.clamp(2L * access.blockBytesMax(), RECEIVE_BYTES_MIN, RECEIVE_BYTES_MAX);
    return new Bootstrap()
        .channel(transport.socketChannel())
        .remoteAddress(new InetSocketAddress(endpoint.host(), endpoint.port()))
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(receive));
  }

  private static void connect(Bootstrap bootstrap, Lane lane, EventLoop loop) {
    bootstrap
        .clone(loop)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                lane.initialize(channel.pipeline());
              }
            })
        .connect()
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  if (!connected.isSuccess()) {
                    lane.home().broken(lane, String.valueOf(connected.cause().getMessage()));
                  }
                });
  }

  /** Returns how many event loops there are. */
  int loops() {
    return homes.size();
  }

  Errors errors() {
    return errors;
  }

  /** Opens all connections and begins. */
  void start() {
    Wire wire = workload.wire().orElseThrow();
    long firstNanos = System.nanoTime();
    homes.forEach(
        home -> {
          double share = wire.ratePerSecond() * home.laneCount() / workload.access().jobs();
          Pace pace = wire.isOpen() ? new Schedule(firstNanos, share) : Pace.AT_ONCE;
          home.loop().execute(() -> home.start(pace));
        });
  }

  /** Forgets what was counted so far, but errors. */
  void reset() {
    onLoops(
        home -> {
          home.meter().reset();
          return home;
        });
  }

  /** Returns what was counted since the last reset. */
  LoadCounts counts() {
    return LoadCounts.sum(onLoops(home -> home.meter().counts()));
  }

  private <T> List<T> onLoops(Function<Home, T> work) {
    List<CompletableFuture<T>> answers = new ArrayList<>();
    for (Home home : homes) {
      answers.add(CompletableFuture.supplyAsync(() -> work.apply(home), home.loop()));
    }
    return answers.stream()
        .map(answer -> answer.orTimeout(LOOP_ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS).join())
        .toList();
  }

  /** Begins nothing any more, and waits for what is under way; returns whether all has ended. */
  boolean stop(Duration timeout) {
    CountDownLatch ended = new CountDownLatch(homes.size());
    homes.forEach(home -> home.loop().execute(() -> home.stop(ended::countDown)));
    try {
      return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    group
        .shutdownGracefully(0, LOOP_ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .awaitUninterruptibly(LOOP_ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
