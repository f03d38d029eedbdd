package io.loopgate.telemetry;

import io.loopgate.block.BlockOp;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the data port counts, over all volumes and loops. Every method may be called from every
 * thread.
 *
 * <p>Volumes are no label here: a histogram per volume would cost thousands of series.
 */
public final class HttpTelemetry {
  private static final int CODE_CLASSES = 6;
  private static final int KINDS = RequestKind.values().length;

  private final LongAdder[] requests = new LongAdder[KINDS * CODE_CLASSES];
  private final Histogram[] durations = new Histogram[KINDS];
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder started = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder heldBytes = new LongAdder();
  private final LongAdder openConnections = new LongAdder();
  private final LongAdder stalled = new LongAdder();
  private final LongAdder[] express = new LongAdder[KINDS];
  private final LongAdder[] queueCommands = new LongAdder[BlockOp.count()];
  private final LongAdder queueInFlight = new LongAdder();
  private final LongAdder queueStreams = new LongAdder();
  private final Histogram loopLag = Histogram.forInternals();
  private final Map<String, LongAdder> rejected = new ConcurrentHashMap<>();
  private final List<LoopTelemetry> loops = new CopyOnWriteArrayList<>();

  /** Creates counters at 0; {@code rejectionCodes} are the problem codes that exist. */
  public HttpTelemetry(Iterable<String> rejectionCodes) {
    for (int i = 0; i < requests.length; i++) {
      requests[i] = new LongAdder();
    }
    for (int i = 0; i < KINDS; i++) {
      durations[i] = Histogram.forRequests();
      express[i] = new LongAdder();
    }
    for (int i = 0; i < queueCommands.length; i++) {
      queueCommands[i] = new LongAdder();
    }
    for (String code : rejectionCodes) {
      rejected.put(code, new LongAdder());
    }
  }

  /** Adds the counters of an event loop. */
  public LoopTelemetry addLoop(int loop, int commandsMax) {
    LoopTelemetry added = new LoopTelemetry(loop, commandsMax);
    loops.add(added);
    return added;
  }

  /** Returns the counters of the event loops. */
  public List<LoopTelemetry> loops() {
    return Collections.unmodifiableList(loops);
  }

  /** Counts a request whose headers arrived. */
  public void requestStarted() {
    started.increment();
  }

  /** Counts a request that was answered without the HTTP library. */
  public void express(RequestKind kind) {
    express[kind.ordinal()].increment();
  }

  /** Forgets a request that was counted as started and goes another way now. */
  public void requestTakenBack() {
    started.decrement();
  }

  /** Counts a request that was answered, or broken off ({@code status} 0). */
  public void requestEnded(RequestKind kind, int status, long nanos) {
    ended.increment();
    int codeClass = status >= 100 && status < 600 ? status / 100 : 0;
    requests[kind.ordinal() * CODE_CLASSES + codeClass].increment();
    durations[kind.ordinal()].recordNanos(nanos);
  }

  /** Counts an error answer by its problem code. */
  public void rejected(String code) {
    LongAdder adder = rejected.get(code);
    if (adder != null) {
      adder.increment();
    }
  }

  /** Counts payload bytes that came in. */
  public void received(long bytes) {
    receivedBytes.add(bytes);
  }

  /** Counts payload bytes that went out. */
  public void sent(long bytes) {
    sentBytes.add(bytes);
  }

  /** Adds to (or with a negative number takes from) the bytes held in buffers. */
  public void held(long bytes) {
    heldBytes.add(bytes);
  }

  /** Counts a connection opened (1) or closed (-1). */
  public void connection(int change) {
    openConnections.add(change);
  }

  /** Counts a transfer that was cut since its client stood still. */
  public void stalledTransfer() {
    stalled.increment();
  }

  /** Counts a queue stream opened (1) or ended (-1). */
  public void queueStream(int change) {
    queueStreams.add(change);
  }

  /** Counts a command that was read from a queue stream. */
  public void queueCommand(BlockOp op) {
    queueCommands[op.ordinal()].increment();
  }

  /** Counts a command of a queue stream begun (1) or ended (-1). */
  public void queueInFlight(int change) {
    queueInFlight.add(change);
  }

  /** Counts by how much an event loop was late. */
  public void loopLagNanos(long nanos) {
    loopLag.recordNanos(nanos);
  }

  /**
   * Returns how many requests of a kind were answered with a status of this class (0: broken off).
   */
  public long requests(RequestKind kind, int codeClass) {
    return requests[kind.ordinal() * CODE_CLASSES + codeClass].sum();
  }

  /** Returns the durations of a kind of request. */
  public Histogram durations(RequestKind kind) {
    return durations[kind.ordinal()];
  }

  /** Returns payload bytes received. */
  public long receivedBytes() {
    return receivedBytes.sum();
  }

  /** Returns payload bytes sent. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  /** Returns requests started and not ended. */
  public long inFlight() {
    return Math.max(0, started.sum() - ended.sum());
  }

  /** Returns bytes held in buffers now. */
  public long heldBytes() {
    return heldBytes.sum();
  }

  /** Returns connections open now. */
  public long openConnections() {
    return openConnections.sum();
  }

  /** Returns how many requests of a kind were answered without the HTTP library. */
  public long expressed(RequestKind kind) {
    return express[kind.ordinal()].sum();
  }

  /** Returns transfers cut since their client stood still. */
  public long stalledTransfers() {
    return stalled.sum();
  }

  /** Returns queue streams open now. */
  public long queueStreams() {
    return queueStreams.sum();
  }

  /** Returns commands of this kind read from queue streams. */
  public long queueCommands(BlockOp op) {
    return queueCommands[op.ordinal()].sum();
  }

  /** Returns commands of queue streams begun and not ended. */
  public long queueInFlight() {
    return queueInFlight.sum();
  }

  /** Returns the lateness of the event loops. */
  public Histogram loopLag() {
    return loopLag;
  }

  /** Returns error answers by problem code, sorted. */
  public Map<String, Long> rejections() {
    Map<String, Long> sums = new TreeMap<>();
    rejected.forEach((code, adder) -> sums.put(code, adder.sum()));
    return Collections.unmodifiableMap(sums);
  }
}
