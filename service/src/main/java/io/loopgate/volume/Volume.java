package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.LoopEngine;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;

/**
 * One block volume: a backing, an engine with its layers, and the rules between them.
 *
 * <p>The data methods ({@link #enter}, {@link #read}, {@link #beginMutation}, {@link #flush}) are
 * called on event loops and never block. The control methods ({@link #resize}, {@link
 * #switchEngine}, {@link #close}) block and are called on one control thread at a time. Offsets and
 * lengths are bytes; results are lengths or negative {@link Errno} numbers.
 *
 * <p>A caller {@link #enter}s, does what it came for, and {@link #leave}s when the last of its
 * commands has ended.
 */
public final class Volume {
  private static final Duration PAUSE_TIMEOUT = Duration.ofSeconds(10);

  private final String incarnation;
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final Sequence sequence;
  private final Admission admission;
  private final GroupCommit commit = new GroupCommit(this);
  private final RangeLocks locks = new RangeLocks();

  private volatile VolumeSettings settings;
  private volatile RunningEngine running;
  private volatile Geometry geometry;
  private volatile VolumeState state = VolumeState.OPEN;
  private volatile int revision;

  Volume(
      VolumeSettings settings,
      Backing backing,
      RunningEngine running,
      VolumeTelemetry telemetry,
      String incarnation) {
    this.settings = settings;
    this.backing = backing;
    this.running = running;
    this.telemetry = telemetry;
    this.incarnation = incarnation;
    this.sequence = new Sequence(incarnation);
    this.admission = new Admission(settings.limits());
    this.geometry = backing.geometry();
  }

  /** Returns the volume's id. */
  public String id() {
    return settings.id();
  }

  /** Returns what the volume was told, as it is now. */
  public VolumeSettings settings() {
    return settings;
  }

  /** Returns how its bytes are served, as it is now. */
  public RunningEngine running() {
    return running;
  }

  /** Returns size and alignment, as they are now. */
  public Geometry geometry() {
    return geometry;
  }

  /** Returns the size in bytes, as it is now. */
  public long sizeBytes() {
    return geometry.sizeBytes();
  }

  /** Returns where its bytes live; for control threads. */
  public Backing backing() {
    return backing;
  }

  /** Tells whether transfers go past the page cache. */
  public boolean isDirect() {
    return backing.capabilities().direct().available();
  }

  /**
   * Returns what a successful write means when the request does not say: what was asked for, or
   * less where the backing keeps nothing for good.
   */
  public Durability durability() {
    return stable().available() ? settings.durability() : Durability.WRITEBACK;
  }

  /** Tells whether anything can be durable here, and why. */
  public Support stable() {
    return backing.capabilities().stable();
  }

  /** Returns its counters. */
  public VolumeTelemetry telemetry() {
    return telemetry;
  }

  /** Returns where it is in its life. */
  public VolumeState state() {
    return state;
  }

  /** Returns the name of the error that poisoned it, or an empty text. */
  public String poison() {
    return commit.poison() == 0 ? "" : Errno.name(commit.poison());
  }

  /** Returns a text that is new with every opening of the backing. */
  public String incarnation() {
    return incarnation;
  }

  /** Returns how often settings, size or engine were changed; the tag of the volume's document. */
  public int revision() {
    return revision;
  }

  /** Returns the number of changes, as it is now. */
  public long currentSequence() {
    return sequence.current();
  }

  /** Returns the number that a read which starts now carries. */
  public long sequenceForRead() {
    return sequence.forRead();
  }

  /** Returns the strong entity tag of a sequence number. */
  public String tag(long sequenceNumber) {
    return sequence.tag(sequenceNumber);
  }

  /** Returns the sequence number in a tag of this opening, or -1. */
  public long sequenceOf(String tag) {
    return sequence.numberOf(tag);
  }

  /** Returns how many requests are inside. */
  public int inFlight() {
    return admission.inFlight();
  }

  /**
   * Lets a request in.
   *
   * @return 0, {@code -OVERLOADED} or {@code -CLOSED}
   */
  public long enter() {
    if (admission.tryEnter()) {
      return 0;
    }
    return state == VolumeState.DRAINING || state == VolumeState.CLOSED
        ? -Errno.CLOSED
        : -Errno.OVERLOADED;
  }

  /** Takes a request out of the quota; returns 0, or after how many seconds to come back. */
  public long quotaWaitSeconds(long payloadBytes) {
    return admission.quotaWaitSeconds(payloadBytes);
  }

  /** Lets a request out. */
  public void leave() {
    admission.leave();
  }

  /**
   * Reads the window of a range, the first of a request.
   *
   * @param address where it goes, aligned; the caller keeps the memory until the handler has run
   * @param handler ends with the length of the range or a negative number, {@code -OVERLOADED} if
   *     the loop has as many commands in flight as it may
   */
  public void read(
      IoLoop loop, IoWindow window, long address, long deadlineNanos, IoHandler handler) {
    read(loop, true, window, address, deadlineNanos, handler);
  }

  /**
   * As {@link #read}, for an answer that is under way: it finds room where the read before it was.
   */
  public void readOn(
      IoLoop loop, IoWindow window, long address, long deadlineNanos, IoHandler handler) {
    read(loop, false, window, address, deadlineNanos, handler);
  }

  private void read(
      IoLoop loop,
      boolean begins,
      IoWindow window,
      long address,
      long deadlineNanos,
      IoHandler handler) {
    submit(
        loop,
        begins,
        BlockOp.READ,
        window.startBytes(),
        window.lengthBytes(),
        address,
        0,
        deadlineNanos,
        window.isAligned()
            ? handler
            : result -> handler.ended(result < 0 ? result : window.rangeBytes()));
  }

  /**
   * Returns the reason why a change would be refused now ({@code -READ_ONLY}, {@code -POISONED}),
   * or 0.
   */
  public long refusal() {
    if (settings.readOnly()) {
      return -Errno.READ_ONLY;
    }
    return commit.poison() == 0 ? 0 : -Errno.POISONED;
  }

  /** Begins a change. */
  public Mutation beginMutation(IoLoop loop, long deadlineNanos) {
    sequence.begin();
    return new Mutation(this, loop, deadlineNanos);
  }

  /**
   * Tells whether the sequence still is the expected one, and if so counts a change as begun: see
   * {@link #resume}.
   */
  public boolean beginIf(long expectedSequence) {
    return sequence.beginIf(expectedSequence);
  }

  /** Returns the change that {@link #beginIf} began. */
  public Mutation resume(IoLoop loop, long deadlineNanos) {
    return new Mutation(this, loop, deadlineNanos);
  }

  /** Makes everything acknowledged so far durable; nothing to do on a read-only volume. */
  public void flush(IoLoop loop, IoHandler handler) {
    if (backing.readOnly()) {
      handler.ended(0);
    } else {
      commit.commit(loop, handler);
    }
  }

  /**
   * Runs a command.
   *
   * @param begins whether it is the first of its request, and so may be refused for what the loop
   *     has in flight
   */
  void submit(
      IoLoop loop,
      boolean begins,
      BlockOp op,
      long offsetBytes,
      long lengthBytes,
      long address,
      int flags,
      long deadlineNanos,
      IoHandler handler) {
    Command command = begins ? loop.tryTake() : loop.take();
    if (command == null) {
      handler.ended(-Errno.OVERLOADED);
      return;
    }
    command.arm(this, handler);
    BlockRequest request =
        command
            .request()
            .prepare(op, offsetBytes, lengthBytes, address, flags, deadlineNanos, command);
    if (running.engine().submit(request)) {
      return;
    }
    // It may have been closed just now, for another one to take its place: one more look.
    if (!running.engine().submit(request)) {
      request.completeHere(-Errno.OVERLOADED);
    }
  }

  Sequence sequence() {
    return sequence;
  }

  GroupCommit commit() {
    return commit;
  }

  RangeLocks locks() {
    return locks;
  }

  /** Takes other settings, after what they say of size and engine is done. For control threads. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Control operations happen one at a time.
  void apply(VolumeSettings newSettings) {
    settings = newSettings;
    revision++;
    admission.limits(newSettings.limits());
  }

  /**
   * Changes the size. Growing happens under load; shrinking waits until no request is inside.
   *
   * @throws io.loopgate.backing.BackingException if the backing cannot
   * @throws VolumeException if requests did not end in time
   */
  void resize(long newSizeBytes) {
    if (newSizeBytes >= sizeBytes()) {
      try {
        backing.resize(newSizeBytes);
        geometry = backing.geometry();
      } finally {
        // The whole is another one now, so its tag is too.
        sequence.begin();
        sequence.end();
      }
      return;
    }
    whileQuiet(
        () -> {
          try {
            backing.resize(newSizeBytes);
            geometry = backing.geometry();
          } finally {
            sequence.begin();
            sequence.end();
          }
        });
  }

  /**
   * Does something while no request is inside; those that come meanwhile are told to come back.
   *
   * @throws VolumeException if requests did not end in time
   */
  void whileQuiet(Runnable work) {
    pause();
    try {
      work.run();
    } finally {
      state = VolumeState.OPEN;
      admission.resume();
    }
  }

  private void pause() {
    state = VolumeState.PAUSED;
    admission.pause();
    if (!admission.awaitNone(PAUSE_TIMEOUT)) {
      state = VolumeState.OPEN;
      admission.resume();
      throw new VolumeException(
          VolumeException.Kind.IN_USE,
          inFlight()
              + " requests on volume "
              + id()
              + " did not end in "
              + PAUSE_TIMEOUT.toSeconds()
              + " s; stop its clients and try again");
    }
  }

  /** Puts another engine in place: new commands go to it, those in the old one end there. */
  void switchEngine(RunningEngine successor) {
    RunningEngine before = running;
    running = successor;
    before.engine().close();
  }

  /** Closes if nothing is inside; returns whether it did. */
  boolean closeIfIdle() {
    admission.pause();
    if (!admission.awaitNone(Duration.ZERO)) {
      admission.resume();
      return false;
    }
    close(Duration.ZERO);
    return true;
  }

  /**
   * Takes no more requests, waits for those inside, flushes and gives everything back.
   *
   * @return whether all requests had ended and the last flush succeeded; true for one that is
   *     closed already
   */
  boolean close(Duration timeout) {
    if (state == VolumeState.CLOSED) {
      return true;
    }
    state = VolumeState.DRAINING;
    admission.pause();
    boolean answered = admission.awaitNone(timeout);
    LoopEngine engine = running.engine();
    engine.drain(timeout);
    engine.close();
    // Asked last: an engine may count a command for a moment after its submitter got the answer.
    boolean drained = answered && engine.inFlight() == 0;
    boolean flushed = backing.readOnly() || lastFlush();
    if (drained) {
      backing.close();
    }
    state = VolumeState.CLOSED;
    return drained && flushed;
  }

  private boolean lastFlush() {
    NobodysLoop nobody = new NobodysLoop();
    BlockRequest request =
        new BlockRequest(nobody)
            .prepare(BlockOp.FLUSH, 0, 0, 0, 0, BlockRequest.NO_DEADLINE, (ended, result) -> {});
    return commit.poison() == 0 && backing.execute(request) >= 0;
  }
}
