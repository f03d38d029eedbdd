package io.loopgate.engine.aio;

import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandLane;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.Ends;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.InFlight;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.ThreadLane;
import io.loopgate.sys.AsyncIo;
import io.loopgate.sys.EventFd;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue over the kernel's native asynchronous I/O.
 *
 * <p>Event loops submit; what they bring in one turn goes to the kernel by one call, each command
 * with {@code RWF_NOWAIT} if the {@link SubmitPolicy} says so. What would have waited is handed
 * over once more by the queue's worker. Flush, discard, zero and what goes oddly run on a thread of
 * their own. A {@link CompletionWatch} decides how ends are noticed. Commands beyond the depth
 * wait, in order.
 */
public final class AioEngine implements LoopEngine {
  private static final Logger LOG = LoggerFactory.getLogger(AioEngine.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  /** How many groups of waiting commands look for neighbours. */
  private static final int WAITING_GROUPS = 64;

  private final EngineEnvironment environment;
  private final InFlight inFlight;
  private final Ends ends;
  private final EventFd signal;
  private final AsyncIo io;
  private final SlotPool pool;
  private final Results results;
  private final Resubmitter worker;
  private final EngineCommands slow;
  private final CommandLane slowLane;
  private final Submitter submitter;
  private final Turn turn;
  private final CompletionWatch watch;
  private final @Nullable Lane[] lanes;
  private final long unitMask;
  private final long memoryMask;
  private final boolean dsync;
  private final AtomicBoolean closed = new AtomicBoolean();

  private AioEngine(
      EngineEnvironment environment,
      SubmitPolicy policy,
      CompletionWatch.Kind kind,
      int fd,
      AsyncIo io,
      EventFd signal) {
    this.environment = environment;
    this.signal = signal;
    this.io = io;
    this.inFlight = new InFlight(environment.queueCapacity());
    this.ends = new Ends(inFlight);
    int depth = environment.options().depth();
    boolean merge = environment.options().merge();
    this.pool = new SlotPool(depth);
    this.worker =
        new Resubmitter(threadName("worker"), depth, environment.blockingWrites(), this::poll);
    this.slow = new EngineCommands(environment, 1, inFlight);
    this.slowLane = new ThreadLane(threadName("slow"), 1, environment, slow);
    Nowait nowait = new Nowait(policy, environment.blockingWrites(), environment.telemetry());
    this.results = new Results(pool, nowait, worker, slow, slowLane, ends, environment.telemetry());
    this.submitter =
        new Submitter(io, fd, pool, nowait, worker, results, ends, environment.telemetry());
    LoopContext first = environment.loops().getFirst();
    this.turn =
        new Turn(
            io,
            pool,
            submitter,
            results,
            ends,
            new CommandQueue(environment.queueCapacity()),
            new Groups(WAITING_GROUPS, merge),
            environment.telemetry(),
            !kind.signals(),
            () -> first.execute(() -> poll(first.completions())));
    Geometry geometry = environment.backing().geometry();
    this.unitMask = geometry.alignmentBytes() - 1L;
    this.memoryMask = geometry.memoryAlignmentBytes() - 1L;
    this.dsync = environment.backing().capabilities().dsync().available();
    this.watch = kind.open(this, first, signal);
    this.lanes = lanes(environment.loops(), Math.min(depth, kind.batchMax()), merge);
    worker.start(submitter);
  }

  private @Nullable Lane[] lanes(List<LoopContext> loops, int batchMax, boolean merge) {
    int most = loops.stream().mapToInt(LoopContext::index).max().orElse(0);
    @Nullable Lane[] made = new @Nullable Lane[most + 1];
    for (LoopContext loop : loops) {
      Groups groups = new Groups(batchMax, merge);
      made[loop.index()] = new Lane(loop, groups, batchMax, pool, submitter, turn, watch);
    }
    return made;
  }

  /**
   * Opens a queue over a file.
   *
   * @param backing the environment's own
   * @throws io.loopgate.sys.SystemCallException if the kernel refuses a context
   */
  public static AioEngine open(
      EngineEnvironment environment,
      DescriptorBacking backing,
      SubmitPolicy policy,
      CompletionWatch.Kind kind) {
    return open(environment, backing.fd(), AsyncIo::open, policy, kind);
  }

  /** Opens a queue over a kernel that a test may have made up. */
  static AioEngine open(
      EngineEnvironment environment,
      int fd,
      AsyncIo.Kernel kernel,
      SubmitPolicy policy,
      CompletionWatch.Kind kind) {
    EventFd signal = kind.signals() ? EventFd.create() : EventFd.none();
    int partsMax = environment.options().merge() ? Groups.PARTS_MAX : 1;
    AsyncIo io;
    try {
      io = kernel.open(environment.options().depth(), partsMax, signal);
    } catch (RuntimeException e) {
      signal.close();
      throw e;
    }
    try {
      return new AioEngine(environment, policy, kind, fd, io, signal);
    } catch (RuntimeException e) {
      io.close();
      signal.close();
      throw e;
    }
  }

  /** Returns the name for a thread of this queue. */
  String threadName(String role) {
    return "loopgate-aio-" + environment.volume() + "-" + role;
  }

  @Override
  public boolean submit(BlockRequest request) {
    if (!isTransfer(request)) {
      return slow.submit(request, slowLane);
    }
    if (!inFlight.tryEnter()) {
      return false;
    }
    if (isMisaligned(request)) {
      ends.end(request, -Errno.EINVAL, request.home());
    } else if (request.isExpired(System.nanoTime())) {
      ends.end(request, -Errno.DEADLINE, request.home());
    } else {
      transfer(request);
    }
    return true;
  }

  private boolean isTransfer(BlockRequest request) {
    boolean moves = request.op() == BlockOp.READ || request.op() == BlockOp.WRITE;
    return moves && request.lengthBytes() > 0 && (dsync || !request.isFua());
  }

  /** Not left to the kernel: ext4 serves a misaligned direct transfer through the page cache. */
  private boolean isMisaligned(BlockRequest request) {
    return ((request.offsetBytes() | request.lengthBytes()) & unitMask) != 0
        || (request.remainingAddress() & memoryMask) != 0;
  }

  @SuppressWarnings("ReferenceEquality") // two loops are the same if they are one
  private void transfer(BlockRequest request) {
    CompletionSink home = request.home();
    Lane lane = home.loopIndex() < lanes.length ? lanes[home.loopIndex()] : null;
    if (lane != null && lane.home() == home) {
      lane.add(request);
    } else {
      // A loop that is none of this queue's.
      turn.await(request);
      turn.run(null);
      watch.expect();
    }
  }

  /** Takes what has ended; on the loop whose completions these are. */
  public void poll(CompletionSink here) {
    turn.run(here);
  }

  /** Tells a loop whether it is inside {@link #poll}, so that another one would find nothing. */
  public boolean isPolling(CompletionSink here) {
    return turn.isReaping(here);
  }

  /** Takes what has ended; on any other thread. */
  void poll() {
    turn.run(null);
  }

  /** Tells whether there are transfers whose ends have to be looked for; any thread. */
  public boolean hasPending() {
    return turn.isBusy();
  }

  /** Returns when the oldest transfer that the kernel has was handed to it, about. */
  public OptionalLong oldestHandedNanos() {
    return pool.oldestHandedNanos();
  }

  /** Returns the least time in which the kernel did a transfer, or the largest number. */
  public long leastServiceNanos() {
    return results.leastServiceNanos();
  }

  @Override
  public int inFlight() {
    return inFlight.count();
  }

  @Override
  public boolean drain(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }

  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /** Closes; what has not ended after a while is abandoned. */
  void close(Duration timeout) {
    inFlight.close();
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!inFlight.awaitNone(timeout)) {
      abandon();
      return;
    }
    // First nobody may touch the ring any more, then what could try to goes.
    boolean quiet = turn.close(STOP_TIMEOUT);
    quiet &= watch.close();
    quiet &= worker.stop(STOP_TIMEOUT);
    slowLane.close();
    if (quiet) {
      io.close();
      signal.close();
    } else {
      LOG.warn("a thread of {} does not end; its memory is left behind", threadName("*"));
    }
  }

  /** Ends what the kernel has not seen; what it has keeps its memory, and ends when it ends. */
  private void abandon() {
    submitter.abandon();
    slowLane.close();
    Slot each = worker.abandon();
    while (each != null) {
      Slot following = each.next();
      results.abandon(each);
      each = following;
    }
    turn.abandon();
    LOG.warn(
        "{} commands of {} are stuck in the kernel; their threads and memory are left behind",
        inFlight.count(),
        threadName("*"));
  }
}
