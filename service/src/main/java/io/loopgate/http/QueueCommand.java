package io.loopgate.http;

import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.IoLoop;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Mutation;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One command of a queue stream, from its frame to its completion: a pooled slot. Confined to its
 * loop.
 *
 * <p>Its memory is laid out so that it can be read and written as it is: aligned, with room for the
 * edges of an unaligned piece, and a frame's room in front of the payload, so that a completion can
 * go out of the very buffer that was read into.
 */
final class QueueCommand implements IoHandler, Mutation.Finished {
  private static final long NO_SEQUENCE = -1;

  private @Nullable QueueCommands owner;
  private BlockOp op = BlockOp.FLUSH;
  private boolean durable;
  private long tag;
  private long offsetBytes;
  private int lengthBytes;
  private int crc;
  private long deadlineNanos;
  private @Nullable ProblemCode problem;
  private long sequence;
  private boolean late;

  private @Nullable ByteBuf buffer;
  private @Nullable IoWindow window;
  private long address;
  private int firstIndex;
  private int filledBytes;
  private @Nullable Mutation mutation;

  /** The links of the {@link QueueCommandList} that holds it. */
  @Nullable QueueCommand before;

  @Nullable QueueCommand after;

  /** Takes what a frame says; {@code durableByDefault}: also without FUA. */
  void prepare(QueueCommands newOwner, QueueParser frame, boolean durableByDefault) {
    owner = newOwner;
    op = frame.op();
    durable = durableByDefault || frame.fua();
    tag = frame.tag();
    offsetBytes = frame.offsetBytes();
    lengthBytes = frame.lengthBytes();
    crc = frame.crc();
    clear();
  }

  /** Becomes the answer to a command that goes on without one. */
  void prepareAnswer(QueueCommand to) {
    op = to.op;
    tag = to.tag;
    lengthBytes = to.lengthBytes;
    clear();
  }

  private void clear() {
    deadlineNanos = BlockRequest.NO_DEADLINE;
    problem = null;
    sequence = NO_SEQUENCE;
    late = false;
    filledBytes = 0;
    mutation = null;
  }

  /** Forgets whose it was; its memory was given back. */
  void retire() {
    owner = null;
    window = null;
  }

  private QueueCommands owner() {
    QueueCommands known = owner;
    if (known == null) {
      throw new IllegalStateException("an idle slot ended");
    }
    return known;
  }

  /** Returns what keeps the volume as it is now from taking the command, or null. */
  @Nullable ProblemCode refusal(Volume volume) {
    if (op == BlockOp.FLUSH) {
      return null;
    }
    long size = volume.sizeBytes();
    // A u64 over 2^63 came as a negative number.
    if (offsetBytes < 0 || offsetBytes > size || lengthBytes > size - offsetBytes) {
      return ProblemCode.RANGE_NOT_SATISFIABLE;
    }
    if (!op.mutates()) {
      return null;
    }
    if (WriteHandler.isMisaligned(volume, offsetBytes, lengthBytes)) {
      return ProblemCode.MISALIGNED;
    }
    long refused = volume.refusal();
    return refused == 0 ? null : ProblemCode.ofResult(refused);
  }

  /** Tells whether nothing is left to do: no byte to move. */
  boolean isEmpty() {
    return op != BlockOp.FLUSH && lengthBytes == 0;
  }

  /** Returns how many bytes it moves between client and volume. */
  int payloadBytes() {
    return op == BlockOp.READ || op == BlockOp.WRITE ? lengthBytes : 0;
  }

  /** Tells whether it still needs memory for its payload. */
  boolean needsMemory() {
    return payloadBytes() > 0 && buffer == null && problem == null;
  }

  /** Lays out its payload, and returns how much memory that takes. */
  int layOut(Geometry geometry) {
    IoWindow around = IoWindow.around(offsetBytes, lengthBytes, geometry);
    window = around;
    return QueueFrames.FRAME_BYTES + around.allocationBytes();
  }

  /** Takes the memory that {@link #layOut} asked for. */
  void memory(ByteBuf taken) {
    IoWindow laidOut = window();
    buffer = taken;
    address = laidOut.alignedAddress(taken.memoryAddress() + QueueFrames.FRAME_BYTES);
    firstIndex = (int) (address - taken.memoryAddress()) + laidOut.skipBytes();
  }

  private IoWindow window() {
    IoWindow laidOut = window;
    if (laidOut == null) {
      throw new IllegalStateException("no memory laid out");
    }
    return laidOut;
  }

  /** Takes a piece of the payload; dropped if the command was refused. */
  void fill(ByteBuf data, int bytes) {
    ByteBuf memory = buffer;
    if (memory == null) {
      data.skipBytes(bytes);
    } else {
      memory.setBytes(firstIndex + filledBytes, data, bytes);
      filledBytes += bytes;
    }
  }

  /** Tells whether the payload is the one that the frame spoke of; 0 fits every one. */
  boolean crcFits(CRC32C algorithm) {
    return crc == 0 || crc == crcOf(algorithm, filledBytes);
  }

  private int crcOf(CRC32C algorithm, int bytes) {
    ByteBuf memory = buffer;
    if (memory == null) {
      return 0;
    }
    algorithm.reset();
    algorithm.update(memory.internalNioBuffer(firstIndex, bytes));
    return (int) algorithm.getValue();
  }

  /** Does it; ends by {@link QueueCommands#ended}, possibly before this returns. */
  void run(Volume volume, IoLoop loop) {
    switch (op) {
      case READ -> {
        sequence = volume.sequenceForRead();
        volume.read(loop, window(), address, deadlineNanos, this);
      }
      case WRITE -> begin(volume, loop).write(window(), address, this);
      case ZERO -> begin(volume, loop).zero(offsetBytes, lengthBytes, true, this);
      case DISCARD -> begin(volume, loop).discard(offsetBytes, lengthBytes, this);
      case FLUSH -> volume.flush(loop, this);
    }
  }

  private Mutation begin(Volume volume, IoLoop loop) {
    Mutation begun = volume.beginMutation(loop, deadlineNanos);
    mutation = begun;
    return begun;
  }

  @Override
  public void ended(long result) {
    Mutation change = mutation;
    mutation = null;
    if (change == null) {
      owner().ended(this, result);
    } else if (result < 0) {
      change.abandon();
      owner().ended(this, result);
    } else {
      // The bytes are written: what waits for the flush needs no memory.
      owner().giveMemory(this);
      change.finish(durable, this);
    }
  }

  @Override
  public void ended(long result, long sequenceAfter, boolean isDurable) {
    sequence = sequenceAfter;
    owner().finished(this, result);
  }

  /** Notes the outcome; null is success. */
  void settle(@Nullable ProblemCode outcome, long currentSequence) {
    problem = outcome;
    if (sequence == NO_SEQUENCE) {
      sequence = currentSequence;
    }
  }

  /** Refuses it before it was begun. */
  void refuse(@Nullable ProblemCode why) {
    problem = why;
  }

  @Nullable ProblemCode problem() {
    return problem;
  }

  /** Returns how many bytes follow its frame. */
  int followingBytes() {
    return op == BlockOp.WRITE ? lengthBytes : 0;
  }

  /** Returns how long the payload of the completion is. */
  int answerBytes() {
    return op == BlockOp.READ && problem == null ? lengthBytes : 0;
  }

  /** Appends the completion with its payload to a buffer that has the room. */
  void appendTo(ByteBuf out, CRC32C algorithm) {
    int bytes = answerBytes();
    int at = out.writerIndex();
    putFrame(out, at, bytes, algorithm);
    out.writerIndex(at + QueueFrames.FRAME_BYTES);
    ByteBuf memory = buffer;
    if (bytes > 0 && memory != null) {
      out.writeBytes(memory, firstIndex, bytes);
    }
  }

  /** Makes its own memory the completion, and hands it over. */
  ByteBuf detach(CRC32C algorithm) {
    ByteBuf memory = buffer;
    if (memory == null) {
      throw new IllegalStateException("no payload to send");
    }
    int bytes = answerBytes();
    int at = firstIndex - QueueFrames.FRAME_BYTES;
    putFrame(memory, at, bytes, algorithm);
    buffer = null;
    return memory.setIndex(at, firstIndex + bytes);
  }

  private void putFrame(ByteBuf out, int index, int payloadBytes, CRC32C algorithm) {
    ProblemCode failed = problem;
    QueueFrames.setCompletion(
        out,
        index,
        failed == null ? 0 : failed.status(),
        tag,
        sequence,
        payloadBytes,
        payloadBytes == 0 ? 0 : crcOf(algorithm, payloadBytes));
  }

  /** Returns its memory to give back, or null; it is not the command's any more. */
  @Nullable ByteBuf takeMemory() {
    ByteBuf memory = buffer;
    buffer = null;
    return memory;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  void deadlineNanos(long nanos) {
    deadlineNanos = nanos;
  }

  /** Tells that it was answered before it ended. */
  boolean isLate() {
    return late;
  }

  void late() {
    late = true;
  }
}
