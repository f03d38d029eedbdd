package io.loopgate.http;

import io.loopgate.telemetry.HttpTelemetry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The payload memory of one loop: pooled direct buffers, up to a bound. Confined to its loop.
 *
 * <p>What finds no room is answered 503 if it is the first of a request; a transfer under way waits
 * its turn. Every buffer taken is given back exactly once, when nothing can touch it any more.
 */
final class BufferBudget {
  private final long limitBytes;
  private final HttpTelemetry telemetry;
  private final ArrayDeque<BooleanSupplier> waiting = new ArrayDeque<>();
  private long takenBytes;

  BufferBudget(long limitBytes, HttpTelemetry telemetry) {
    this.limitBytes = limitBytes;
    this.telemetry = telemetry;
  }

  /** Returns a direct buffer of at least this capacity, or null if there is no room for it. */
  @Nullable ByteBuf tryTake(int bytes) {
    if (takenBytes + bytes > limitBytes) {
      return null;
    }
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    takenBytes += bytes;
    telemetry.held(bytes);
    return buffer;
  }

  /** Tells whether there can ever be a buffer of this capacity. */
  boolean fits(int bytes) {
    return bytes <= limitBytes;
  }

  /** Takes a buffer back, and lets one that waits have another look. */
  void give(ByteBuf buffer) {
    int bytes = buffer.capacity();
    buffer.release();
    takenBytes -= bytes;
    telemetry.held(-bytes);
    // Those that have left meanwhile must not use up the turn of those that still wait.
    BooleanSupplier next = waiting.poll();
    while (next != null && !next.getAsBoolean()) {
      next = waiting.poll();
    }
  }

  /** Runs {@code retry} when a buffer was given back; it tells whether it still wanted one. */
  void whenRoom(BooleanSupplier retry) {
    waiting.add(retry);
  }

  long takenBytes() {
    return takenBytes;
  }
}
