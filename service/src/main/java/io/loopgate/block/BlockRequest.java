package io.loopgate.block;

import org.jspecify.annotations.Nullable;

/**
 * One command on its way through layers and engine: a slot that its submitter owns and uses again.
 *
 * <p>Between {@link #prepare} and the completion the slot, and the memory at its address, belong to
 * the engine. They come back exactly once, when nothing below can touch them any more: also after a
 * deadline, also when the client has left. Not thread-safe: whoever holds the slot is its only
 * user, and each hand-over is through a queue that publishes it.
 *
 * <p>All offsets and lengths are in bytes. A result is the command's length or a negative {@link
 * Errno} number.
 */
public final class BlockRequest {
  /** Flag of a write: durable before it completes ({@code RWF_DSYNC}). */
  public static final int FUA = 1;

  /** Flag of {@link BlockOp#ZERO}: the backing may give the space back. */
  public static final int MAY_UNMAP = 2;

  /** No deadline. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private final CompletionSink home;
  private BlockOp op = BlockOp.FLUSH;
  private long offsetBytes;
  private long lengthBytes;
  private long address;
  private int flags;
  private long doneBytes;
  private long startNanos;
  private long deadlineNanos = NO_DEADLINE;
  private long result;
  private boolean busy;
  private @Nullable BlockCompletion completion;
  private @Nullable BlockRequest next;

  /** Creates an idle slot whose completions go to {@code home}. */
  public BlockRequest(CompletionSink home) {
    this.home = home;
  }

  /**
   * Fills the slot for a new command; every field is set anew, so nothing of the last command can
   * leak into it.
   *
   * @param address address of native memory of at least {@code lengthBytes}; 0 where no payload
   *     moves
   * @param flags a sum of {@link #FUA} and {@link #MAY_UNMAP}
   * @param deadlineNanos when, on the clock of {@link System#nanoTime()}, queued work is dropped;
   *     or {@link #NO_DEADLINE}
   * @throws IllegalStateException if the slot is still in use: its submitter has a bug that would
   *     corrupt data
   */
  public BlockRequest prepare(
      BlockOp op,
      long offsetBytes,
      long lengthBytes,
      long address,
      int flags,
      long deadlineNanos,
      BlockCompletion completion) {
    if (busy) {
      throw new IllegalStateException("slot in use: " + this);
    }
    assert offsetBytes >= 0 && lengthBytes >= 0 && offsetBytes + lengthBytes >= 0;
    this.op = op;
    this.offsetBytes = offsetBytes;
    this.lengthBytes = lengthBytes;
    this.address = address;
    this.flags = flags;
    this.deadlineNanos = deadlineNanos;
    this.completion = completion;
    this.doneBytes = 0;
    this.result = 0;
    this.startNanos = System.nanoTime();
    this.next = null;
    this.busy = true;
    return this;
  }

  /**
   * Fills the slot for a part of another command: what it does, its flags, its deadline and its
   * memory are those of the whole.
   *
   * @param skipBytes how far into what is not done yet of the whole the part begins
   * @param partOffsetBytes where the part begins on what it will be run on
   * @param partBytes how long it is
   */
  public BlockRequest preparePart(
      BlockRequest whole,
      long skipBytes,
      long partOffsetBytes,
      long partBytes,
      BlockCompletion completion) {
    return prepare(
        whole.op,
        partOffsetBytes,
        partBytes,
        whole.remainingAddress() + skipBytes,
        whole.flags,
        whole.deadlineNanos,
        completion);
  }

  /** Returns what the command does. */
  public BlockOp op() {
    return op;
  }

  /** Returns where the whole command begins. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Returns how long the whole command is. */
  public long lengthBytes() {
    return lengthBytes;
  }

  /** Returns where the part that is not done yet begins. */
  public long remainingOffsetBytes() {
    return offsetBytes + doneBytes;
  }

  /** Returns how long the part is that is not done yet. */
  public long remainingBytes() {
    return lengthBytes - doneBytes;
  }

  /** Returns the address of the memory of the part that is not done yet. */
  public long remainingAddress() {
    return address + doneBytes;
  }

  /** Returns how many bytes are done. */
  public long doneBytes() {
    return doneBytes;
  }

  /** Tells whether the write has to be durable before it completes. */
  public boolean isFua() {
    return (flags & FUA) != 0;
  }

  /** Tells whether zeroing may give the space back. */
  public boolean mayUnmap() {
    return (flags & MAY_UNMAP) != 0;
  }

  /** Returns when the command was prepared, on the clock of {@link System#nanoTime()}. */
  public long startNanos() {
    return startNanos;
  }

  /** Tells whether the deadline has passed at {@code nowNanos}. */
  public boolean isExpired(long nowNanos) {
    return deadlineNanos != NO_DEADLINE && nowNanos - deadlineNanos >= 0;
  }

  /** Notes that {@code bytes} more are done; the engine's only way to make progress. */
  public void advance(long bytes) {
    assert bytes > 0 && bytes <= remainingBytes();
    doneBytes += bytes;
  }

  /** Returns where completions go. */
  public CompletionSink home() {
    return home;
  }

  /** Returns how the command ended; valid once it has ended. */
  public long result() {
    return result;
  }

  /** Ends the command from a thread that is not the submitter's loop. */
  public void completeFromAnywhere(long result) {
    this.result = result;
    home.offer(this);
  }

  /** Ends the command on the submitter's loop: the completion runs before this method returns. */
  public void completeHere(long result) {
    this.result = result;
    runCompletion();
  }

  /** Runs the completion of a command that has ended; for the sink, on the submitter's loop. */
  public void runCompletion() {
    BlockCompletion ended = completion;
    if (!busy || ended == null) {
      throw new IllegalStateException("ended twice: " + this);
    }
    busy = false;
    completion = null;
    ended.completed(this, result);
  }

  /** Returns the link to the next request of the queue that holds this one. */
  public @Nullable BlockRequest next() {
    return next;
  }

  /** Sets the link of the queue that holds this request. */
  public void setNext(@Nullable BlockRequest next) {
    this.next = next;
  }

  @Override
  public String toString() {
    return op
        + " at "
        + offsetBytes
        + " length "
        + lengthBytes
        + " done "
        + doneBytes
        + (busy ? " busy" : " idle");
  }
}
