package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.volume.Mutation;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of a write and puts it into the volume. Confined to its loop.
 *
 * <p>A body of known length is written piece by piece as it arrives: one piece being written, one
 * being filled, and the socket is not read beyond that. A body whose length or digest shows only at
 * its end is held, up to a bound, and written when it has passed. Ends once: answered, or broken
 * off; memory goes back when the kernel is done with it.
 */
final class BodyReceiver implements StallWatch.Transfer {
  private static final int UNKNOWN_PIECE_BYTES = 64 << 10;
  private static final int READY_MAX = 1;

  private final Exchange exchange;
  private final HttpServerRequest request;
  private final WritePlan plan;
  private final Volume volume;
  private final boolean held;
  private final ArrayDeque<BodyWindow> ready = new ArrayDeque<>();
  private final ArrayDeque<ByteBuf> unplaced = new ArrayDeque<>();
  private @Nullable BodyWindow filling;
  private @Nullable Mutation mutation;
  private long deadlineNanos = BlockRequest.NO_DEADLINE;
  private Deadline.@Nullable Timer deadlineTimer;
  private long receivedBytes;
  private long placedBytes;
  private boolean complete;
  private boolean writing;
  private boolean paused;
  private boolean answered;

  BodyReceiver(Exchange exchange, WritePlan plan, boolean held) {
    this.exchange = exchange;
    this.request = exchange.request();
    this.plan = plan;
    this.volume = plan.volume();
    this.held = held;
  }

  void start() {
    exchange.awaitBody();
    if (plan.timeoutMillis() > 0) {
      deadlineNanos = System.nanoTime() + plan.timeoutMillis() * 1_000_000;
      deadlineTimer = Deadline.start(plan.timeoutMillis(), this::deadlinePassed);
    }
    request.handler(chunk -> exchange.guard(() -> received(chunk)));
    request.endHandler(end -> exchange.guard(this::bodyEnded));
    request.exceptionHandler(
        failure -> {
          if (!answered) {
            exchange.answerMalformed(failure);
          }
          brokenOff();
        });
    exchange.response().closeHandler(closed -> brokenOff());
    exchange.loop().stalls().watch(this, System.nanoTime());
  }

  private void received(Buffer chunk) {
    if (answered) {
      discard(chunk.length());
      return;
    }
    receivedBytes += chunk.length();
    exchange.loop().plane().telemetry().received(chunk.length());
    if (!plan.length().isKnown()) {
      Optional<Problem> tooLong = tooLongSoFar();
      if (tooLong.isPresent()) {
        refuse(tooLong.get());
        return;
      }
    }
    ByteBuf data = ((BufferInternal) chunk).getByteBuf();
    plan.digest().ifPresent(digest -> digest.update(data.nioBuffer()));
    unplaced.add(data);
    place();
  }

  private Optional<Problem> tooLongSoFar() {
    Optional<Problem> problem = plan.length().checkSoFar(receivedBytes, volume.sizeBytes());
    int heldMax = exchange.loop().plane().options().maxHeldBytes();
    if (problem.isEmpty() && receivedBytes > heldMax) {
      return Optional.of(HeldBody.tooLarge(heldMax));
    }
    return problem;
  }

  /**
   * Moves what has arrived into windows; stops at a full pipeline or an empty purse, and goes on
   * later.
   */
  private void place() {
    while (!unplaced.isEmpty() && !pipelineFull()) {
      BodyWindow target = filling;
      if (target == null) {
        target = takeWindow();
        if (target == null) {
          return;
        }
        filling = target;
      }
      ByteBuf data = unplaced.element();
      placedBytes += target.fill(data);
      if (!data.isReadable()) {
        unplaced.remove();
      }
      if (target.isFull()) {
        filling = null;
        ready.add(target);
        writeNext();
        if (answered) {
          return;
        }
      }
    }
    pauseOrResume();
    finishIfPlaced();
  }

  private boolean pipelineFull() {
    return !held && writing && ready.size() >= READY_MAX && filling == null;
  }

  private @Nullable BodyWindow takeWindow() {
    long left =
        plan.length().isKnown()
            ? plan.length().announcedBytes() - placedBytes
            : UNKNOWN_PIECE_BYTES;
    BodyWindow taken =
        BodyWindow.tryTake(
            exchange.loop().buffers(),
            volume.geometry(),
            plan.offsetBytes() + placedBytes,
            Math.max(1, left));
    if (taken != null) {
      return taken;
    }
    if (held || placedBytes == 0) {
      refuse(Problem.ofResult(-Errno.OVERLOADED, plan.offsetBytes(), volume.id()));
      return null;
    }
    pause();
    exchange
        .loop()
        .buffers()
        .whenRoom(
            () -> {
              boolean wanted = !answered;
              if (wanted) {
                place();
              }
              return wanted;
            });
    return null;
  }

  private void pauseOrResume() {
    if (!unplaced.isEmpty()) {
      pause();
    } else if (paused) {
      paused = false;
      request.resume();
    }
  }

  private void pause() {
    if (!paused) {
      paused = true;
      request.pause();
    }
  }

  private void bodyEnded() {
    exchange.loop().stalls().forget(this);
    if (answered) {
      return;
    }
    complete = true;
    Optional<Problem> problem = wrongAtTheEnd();
    if (problem.isPresent()) {
      refuse(problem.get());
      return;
    }
    finishIfPlaced();
  }

  private Optional<Problem> wrongAtTheEnd() {
    Optional<Problem> wrongLength = plan.length().check(receivedBytes, volume.sizeBytes());
    if (wrongLength.isPresent()) {
      return wrongLength;
    }
    Optional<Problem> misaligned =
        WriteHandler.misalignment(volume, plan.offsetBytes(), receivedBytes);
    if (misaligned.isPresent()) {
      return misaligned;
    }
    return plan.digest()
        .flatMap(ContentDigest::mismatch)
        .map(
            algorithm ->
                Problem.of(
                        ProblemCode.DIGEST_MISMATCH,
                        "the body does not have the "
                            + algorithm
                            + " digest that Content-Digest says; nothing was written")
                    .with("algorithm", algorithm));
  }

  /** Once everything is in windows, the last one may be written too, and after it the answer. */
  private void finishIfPlaced() {
    if (!complete || answered || !unplaced.isEmpty()) {
      return;
    }
    BodyWindow last = filling;
    if (last != null) {
      filling = null;
      ready.add(last);
    }
    writeNext();
    if (!writing && ready.isEmpty() && !answered) {
      finish();
    }
  }

  private void writeNext() {
    if (writing || answered || ready.isEmpty() || (held && !complete)) {
      return;
    }
    Mutation change = begin();
    if (change == null) {
      return;
    }
    BodyWindow next = ready.remove();
    writing = true;
    change.write(next.window(), next.address(), result -> written(next, result));
  }

  /**
   * Begins the change with the first piece; an If-Match that was true before the body may be false
   * by now.
   */
  private @Nullable Mutation begin() {
    if (mutation != null) {
      return mutation;
    }
    String condition = plan.condition();
    if (condition == null || condition.strip().equals("*")) {
      mutation = volume.beginMutation(exchange.loop().io(), deadlineNanos);
      return mutation;
    }
    long expected = volume.currentSequence();
    if (EntityTags.matchesStrongly(condition, volume.tag(expected)) && volume.beginIf(expected)) {
      mutation = volume.resume(exchange.loop().io(), deadlineNanos);
      return mutation;
    }
    refuse(ReadHandler.preconditionFailed(volume.tag(volume.currentSequence())));
    return null;
  }

  private void written(BodyWindow window, long result) {
    writing = false;
    long offset = window.offsetBytes();
    window.giveBack(exchange.loop().buffers());
    if (answered) {
      release();
      exchange.close();
      return;
    }
    if (result < 0) {
      refuse(Problem.ofResult(result, offset, volume.id()));
      return;
    }
    writeNext();
    if (!answered) {
      place();
    }
  }

  private void finish() {
    Mutation change = mutation;
    if (change == null) {
      finishUnchanged();
      return;
    }
    mutation = null;
    writing = true;
    change.finish(
        plan.durable(),
        (result, sequence, durable) -> {
          writing = false;
          if (answered) {
            exchange.close();
          } else if (result < 0) {
            refuse(Problem.ofResult(result, plan.offsetBytes(), volume.id()));
          } else {
            answer(sequence, durable);
          }
        });
  }

  /**
   * An empty body changes nothing; but who asks for durability gets it for what was written before.
   */
  private void finishUnchanged() {
    if (!plan.durable()) {
      answer(volume.currentSequence(), false);
      return;
    }
    writing = true;
    volume.flush(
        exchange.loop().io(),
        result -> {
          writing = false;
          if (answered) {
            exchange.close();
          } else if (result < 0) {
            refuse(Problem.ofResult(result, plan.offsetBytes(), volume.id()));
          } else {
            answer(volume.currentSequence(), volume.stable().available());
          }
        });
  }

  private void answer(long sequence, boolean durable) {
    settle();
    ChangeAnswer.fields(exchange, volume, sequence, durable);
    exchange.empty(200);
  }

  /** Answers with an error and lets the rest of the body go by. */
  private void refuse(Problem problem) {
    settle();
    if (!complete) {
      BodyDiscard.start(exchange);
    }
    exchange.problem(problem);
  }

  private void discard(int bytes) {
    exchange.loop().plane().telemetry().received(bytes);
  }

  private void settle() {
    answered = true;
    Deadline.cancel(deadlineTimer);
    deadlineTimer = null;
    exchange.loop().stalls().forget(this);
    release();
  }

  /**
   * Gives back what the kernel does not have, and ends the change unless it is still being written.
   */
  private void release() {
    unplaced.clear();
    BodyWindow half = filling;
    if (half != null) {
      half.giveBack(exchange.loop().buffers());
      filling = null;
    }
    for (BodyWindow window = ready.poll(); window != null; window = ready.poll()) {
      window.giveBack(exchange.loop().buffers());
    }
    Mutation change = mutation;
    if (change != null && !writing) {
      mutation = null;
      change.abandon();
    }
  }

  private void brokenOff() {
    if (answered) {
      return;
    }
    settle();
    // What is still queued has to go by: Vert.x does not give back what a closed connection holds.
    request.resume();
    if (!writing) {
      exchange.close();
    }
  }

  private void deadlinePassed() {
    deadlineTimer = null;
    if (answered) {
      return;
    }
    boolean busy = writing;
    settle();
    if (!complete) {
      BodyDiscard.start(exchange);
    }
    Problem problem = Problem.ofResult(-Errno.DEADLINE, plan.offsetBytes(), volume.id());
    if (busy) {
      exchange.problemWithoutClosing(problem);
    } else {
      exchange.problem(problem);
    }
  }

  @Override
  public long progress() {
    return receivedBytes + placedBytes;
  }

  /** The client stands still. One that cannot send, since the disk is slow, is not to blame. */
  @Override
  public void cut() {
    if (answered) {
      return;
    }
    if (paused || complete) {
      exchange.loop().stalls().watch(this, System.nanoTime());
      return;
    }
    exchange.loop().plane().telemetry().stalledTransfer();
    boolean busy = writing;
    settle();
    Problem problem =
        Problem.of(
            ProblemCode.REQUEST_TIMEOUT,
            "the body stood still after "
                + receivedBytes
                + " bytes; what arrived may have been written");
    exchange.response().putHeader(Fields.CONNECTION, HttpHeaders.CLOSE);
    exchange.problemWithoutClosing(problem);
    exchange.request().connection().close();
    if (!busy) {
      exchange.close();
    }
  }
}
