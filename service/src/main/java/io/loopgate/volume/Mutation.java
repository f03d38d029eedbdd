package io.loopgate.volume;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;

/**
 * One request's changes to a volume, from the first byte to the answer.
 *
 * <p>Confined to the loop that began it. One step at a time: the next step is asked for when the
 * last has ended. Ends exactly once, with {@link #finish} or {@link #abandon}; both raise the
 * sequence, also when nothing was written.
 */
public final class Mutation {
  /** What a finished mutation tells its client. */
  public interface Finished {
    /**
     * It is done.
     *
     * @param result 0, or the negative number of what went wrong
     * @param sequence the sequence after the change
     * @param durable whether everything is on stable media
     */
    void ended(long result, long sequence, boolean durable);
  }

  private final Volume volume;
  private final IoLoop loop;
  private final long deadlineNanos;
  private boolean begun;
  private boolean ended;

  Mutation(Volume volume, IoLoop loop, long deadlineNanos) {
    this.volume = volume;
    this.loop = loop;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Writes the range of a window.
   *
   * @param address the aligned address of the window; the bytes lie at its skip, scratch space lies
   *     behind it
   * @param handler ends with the length of the range, or a negative number
   */
  public void write(IoWindow window, long address, IoHandler handler) {
    if (window.alignmentBytes() == 1) {
      submitWrite(window, address, handler);
      return;
    }
    volume
        .locks()
        .hold(
            loop,
            window.startBytes(),
            window.startBytes() + window.lengthBytes(),
            !window.isAligned(),
            held -> writeLocked(window, address, held, handler));
  }

  private void writeLocked(IoWindow window, long address, RangeLocks.Lock held, IoHandler handler) {
    IoHandler unlock =
        result -> {
          held.release();
          handler.ended(result);
        };
    if (window.isAligned()) {
      submitWrite(window, address, unlock);
    } else {
      new ReadModifyWrite(volume, loop, begins(), window, address, deadlineNanos, unlock).start();
    }
  }

  private void submitWrite(IoWindow window, long address, IoHandler handler) {
    volume.submit(
        loop,
        begins(),
        BlockOp.WRITE,
        window.startBytes(),
        window.lengthBytes(),
        address,
        0,
        deadlineNanos,
        result -> handler.ended(result < 0 ? result : window.rangeBytes()));
  }

  /** Returns whether the next step is the first one. */
  private boolean begins() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Makes a range read as zeroes; {@code mayUnmap}: its space may be given back. */
  public void zero(long offsetBytes, long lengthBytes, boolean mayUnmap, IoHandler handler) {
    exclusively(
        BlockOp.ZERO, offsetBytes, lengthBytes, mayUnmap ? BlockRequest.MAY_UNMAP : 0, handler);
  }

  /** Gives a range back; it reads as zeroes afterwards. */
  public void discard(long offsetBytes, long lengthBytes, IoHandler handler) {
    exclusively(BlockOp.DISCARD, offsetBytes, lengthBytes, 0, handler);
  }

  private void exclusively(BlockOp op, long offset, long length, int flags, IoHandler handler) {
    int alignment = volume.geometry().alignmentBytes();
    long start = offset - offset % alignment;
    long end = (offset + length + alignment - 1) / alignment * alignment;
    volume
        .locks()
        .hold(
            loop,
            start,
            end,
            true,
            held ->
                volume.submit(
                    loop,
                    begins(),
                    op,
                    offset,
                    length,
                    0,
                    flags,
                    deadlineNanos,
                    result -> {
                      held.release();
                      handler.ended(result);
                    }));
  }

  /**
   * Ends the mutation; {@code durable}: answers when everything it wrote is on stable media, or as
   * far on its way as the backing goes.
   */
  public void finish(boolean durable, Finished finished) {
    long sequence = end();
    if (!durable) {
      finished.ended(0, sequence, false);
      return;
    }
    boolean stable = volume.stable().available();
    volume.commit().commit(loop, result -> finished.ended(result, sequence, result == 0 && stable));
  }

  /** Ends the mutation after an error or a broken body: what it wrote stays, and is undefined. */
  public void abandon() {
    end();
  }

  private long end() {
    if (ended) {
      throw new IllegalStateException("a mutation ends once");
    }
    ended = true;
    return volume.sequence().end();
  }
}
