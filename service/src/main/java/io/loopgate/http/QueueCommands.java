package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one queue stream, from their frame to their completion. Confined to its loop.
 *
 * <p>Each enters the volume by itself, so that a stream without commands keeps nobody from resizing
 * or deleting it, and a full one makes the stream wait instead of failing.
 */
final class QueueCommands {
  /** How many commands a stream has at a time; beyond it, it is not read. */
  static final int COMMANDS_MAX = 256;

  private static final long FULL_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LoopState loop;
  private final Volume volume;
  private final QueueTerms terms;
  private final QueueMemory memory;
  private final Runnable wake;
  private final HttpTelemetry telemetry;
  private final Deadline.Clock clock = Deadline.clock();
  private final CRC32C crc = new CRC32C();
  private final QueueCommandList running = new QueueCommandList();
  private final QueueCommandList turnedAway = new QueueCommandList();
  private final QueueCommandList ended = new QueueCommandList();
  private int slots;
  private int inVolume;
  private long endedBytes;
  private boolean retrying;
  private boolean volumeClosed;
  private boolean abandoned;
  private Deadline.@Nullable Timer deadlineTimer;

  /** {@code wake} runs when something ended, or could go on. */
  QueueCommands(
      LoopState loop, Volume volume, QueueTerms terms, QueueMemory memory, Runnable wake) {
    this.loop = loop;
    this.volume = volume;
    this.terms = terms;
    this.memory = memory;
    this.wake = wake;
    this.telemetry = loop.plane().telemetry();
  }

  /** Tells whether no further command may be read now. */
  boolean isFull() {
    return slots >= COMMANDS_MAX;
  }

  /** Takes a slot for a frame. */
  QueueCommand take(QueueParser frame) {
    QueueCommand command = slot();
    command.prepare(this, frame, terms.durable());
    telemetry.queueCommand(frame.op());
    return command;
  }

  private QueueCommand slot() {
    slots++;
    return loop.takeQueueCommand();
  }

  /**
   * Gives a command the memory for its payload, unless it is refused at once.
   *
   * @return false if there is no room now
   */
  boolean prepare(QueueCommand command) {
    if (!command.needsMemory()) {
      return true;
    }
    ProblemCode refused = command.refusal(volume);
    if (refused != null) {
      command.refuse(refused);
      return true;
    }
    int bytes = command.layOut(volume.geometry());
    if (!memory.fits(bytes)) {
      command.refuse(ProblemCode.TOO_LARGE);
      return true;
    }
    ByteBuf taken = memory.tryTakeForCommand(bytes);
    if (taken == null) {
      return false;
    }
    command.memory(taken);
    return true;
  }

  /**
   * Starts a command whose payload is complete, or answers it.
   *
   * @return false if the volume takes no more now
   */
  boolean start(QueueCommand command) {
    if (command.problem() != null) {
      answer(command, command.problem());
      return true;
    }
    if (!command.crcFits(crc)) {
      answer(command, ProblemCode.DIGEST_MISMATCH);
      return true;
    }
    if (terms.timeoutMillis() > 0 && command.deadlineNanos() == BlockRequest.NO_DEADLINE) {
      command.deadlineNanos(
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(terms.timeoutMillis()));
    }
    if (!turnedAway.isEmpty()) {
      return false;
    }
    return enter(command, true);
  }

  /** Starts those again that the loop or the engine had no room for; they go before new ones. */
  void restart() {
    QueueCommand command = turnedAway.first();
    while (command != null) {
      turnedAway.remove(command);
      if (!enter(command, false)) {
        turnedAway.add(command);
        return;
      }
      command = retrying ? null : turnedAway.first();
    }
  }

  private boolean enter(QueueCommand command, boolean isFirstTry) {
    if (isExpired(command)) {
      answer(command, ProblemCode.DEADLINE_EXCEEDED);
      return true;
    }
    long refused = volume.enter();
    if (refused == -Errno.OVERLOADED) {
      retrySoon();
      return false;
    }
    if (refused != 0) {
      volumeClosed = true;
      answer(command, ProblemCode.ofResult(refused));
      return true;
    }
    ProblemCode problem = problemInside(command, isFirstTry);
    if (problem != null || command.isEmpty()) {
      volume.leave();
      answer(command, problem);
    } else {
      run(command);
    }
    return true;
  }

  /** Once inside, the size stays: the last look at what the volume says to the command. */
  private @Nullable ProblemCode problemInside(QueueCommand command, boolean takesQuota) {
    ProblemCode refused = command.refusal(volume);
    if (refused != null || !takesQuota) {
      return refused;
    }
    return volume.quotaWaitSeconds(command.payloadBytes()) > 0 ? ProblemCode.QUOTA : null;
  }

  private static boolean isExpired(QueueCommand command) {
    return command.deadlineNanos() != BlockRequest.NO_DEADLINE
        && System.nanoTime() - command.deadlineNanos() >= 0;
  }

  /** Nobody tells when a volume has room again that others fill. */
  private void retrySoon() {
    if (!retrying) {
      retrying = true;
      loop.io()
          .context()
          .schedule(
              () -> {
                retrying = false;
                wake.run();
              },
              FULL_RETRY_NANOS);
    }
  }

  private void run(QueueCommand command) {
    inVolume++;
    telemetry.queueInFlight(1);
    running.add(command);
    watchDeadline();
    command.run(volume, loop.io());
  }

  /** A command has ended, or was turned away before it began: called by itself. */
  void ended(QueueCommand command, long result) {
    if (result == -Errno.OVERLOADED && !command.isLate()) {
      // A request would be told to come back; a queue waits.
      left();
      running.remove(command);
      turnedAway.add(command);
      retrySoon();
    } else {
      finished(command, result);
    }
  }

  /** A command has ended for good. */
  void finished(QueueCommand command, long result) {
    left();
    if (command.isLate()) {
      recycle(command);
      wake.run();
    } else {
      running.remove(command);
      answer(command, result < 0 ? ProblemCode.ofResult(result) : null);
    }
  }

  private void left() {
    inVolume--;
    telemetry.queueInFlight(-1);
    volume.leave();
  }

  private void answer(QueueCommand command, @Nullable ProblemCode problem) {
    if (abandoned) {
      recycle(command);
      return;
    }
    if (problem != null) {
      telemetry.rejected(problem.code());
    }
    command.settle(problem, volume.currentSequence());
    if (command.answerBytes() == 0) {
      giveMemory(command);
    }
    ended.add(command);
    endedBytes += QueueFrames.FRAME_BYTES + command.answerBytes();
    wake.run();
  }

  /** Returns the oldest command that has ended and was not sent, or null. */
  @Nullable QueueCommand firstEnded() {
    return ended.first();
  }

  /** Returns how many bytes the completions have that were not sent. */
  long endedBytes() {
    return endedBytes;
  }

  /** The completion of the oldest one is on its way. */
  void sent(QueueCommand command) {
    ended.remove(command);
    endedBytes -= QueueFrames.FRAME_BYTES + command.answerBytes();
    recycle(command);
  }

  void giveMemory(QueueCommand command) {
    ByteBuf back = command.takeMemory();
    if (back != null) {
      memory.give(back);
    }
  }

  /** Gives a slot back that is in no list and that nothing below knows any more. */
  void recycle(QueueCommand command) {
    giveMemory(command);
    command.retire();
    slots--;
    loop.giveQueueCommand(command);
  }

  private void watchDeadline() {
    QueueCommand oldest = running.first();
    if (terms.timeoutMillis() > 0 && oldest != null && deadlineTimer == null) {
      long leftNanos = oldest.deadlineNanos() - System.nanoTime();
      long leftMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos + 999_999));
      deadlineTimer = clock.start(leftMillis, this::deadlinePassed);
    }
  }

  /** Answers those whose time is up; their slots stay with them until they end. */
  private void deadlinePassed() {
    deadlineTimer = null;
    QueueCommand oldest = running.first();
    while (oldest != null && isExpired(oldest)) {
      running.remove(oldest);
      oldest.late();
      QueueCommand answer = slot();
      answer.prepareAnswer(oldest);
      answer(answer, ProblemCode.DEADLINE_EXCEEDED);
      oldest = running.first();
    }
    watchDeadline();
  }

  /** Tells whether a completion is due that was not handed on. */
  boolean isDue() {
    return !running.isEmpty() || !turnedAway.isEmpty() || !ended.isEmpty();
  }

  /** Tells whether the volume has none of the commands any more, not even one answered before. */
  boolean isOutOfVolume() {
    return inVolume == 0;
  }

  /** Tells whether the volume was closed under the stream. */
  boolean isVolumeClosed() {
    return volumeClosed;
  }

  /** Nobody waits for completions any more; what is running ends and gives its memory back. */
  void abandon() {
    abandoned = true;
    close();
    for (QueueCommand command = running.first(); command != null; command = running.first()) {
      running.remove(command);
      command.late();
    }
    recycleAll(turnedAway);
    recycleAll(ended);
  }

  private void recycleAll(QueueCommandList list) {
    for (QueueCommand command = list.first(); command != null; command = list.first()) {
      list.remove(command);
      recycle(command);
    }
  }

  /** No completion is due any more. */
  void close() {
    Deadline.cancel(deadlineTimer);
    deadlineTimer = null;
  }
}
