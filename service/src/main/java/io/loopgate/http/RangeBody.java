package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends ranges of a volume, chunk by chunk, as fast as the client takes them and no faster.
 * Confined to its loop.
 *
 * <p>A chunk is read into a pooled direct buffer, which is handed to the socket as it is and given
 * back when the write has ended, well or not. The head of the answer goes out with the first chunk,
 * so that what goes wrong before it can still be an error answer; what goes wrong later can only
 * break the connection. One read is in flight at a time, and none while the socket's queue is full:
 * a terabyte takes the same memory as a megabyte.
 */
final class RangeBody implements IoHandler, StallWatch.Transfer {
  /** As much as is read at a time. */
  static final int CHUNK_BYTES = 256 << 10;

  private static final int QUEUE_BYTES = 512 << 10;

  private final Exchange exchange;
  private final HttpServerResponse response;
  private final Volume volume;
  private final Iterator<BodyPart> parts;
  private long position;
  private long partEnd;
  private long unsentBytes;
  private long deadlineNanos = BlockRequest.NO_DEADLINE;
  private Deadline.@Nullable Timer deadlineTimer;

  private @Nullable ByteBuf buffer;
  private @Nullable IoWindow window;
  private long windowAddress;
  private boolean reading;
  private boolean pumping;
  private boolean waiting;
  private boolean queueFull;
  private boolean ended;
  private boolean prepared;
  private long writesEnded;
  private int queuedBytes;

  /** Prepares to send; status and header fields are set, but for those the deadline needs. */
  RangeBody(Exchange exchange, Volume volume, List<BodyPart> parts) {
    this.exchange = exchange;
    this.response = exchange.response();
    this.volume = volume;
    this.parts = parts.iterator();
    this.unsentBytes = BodyPart.lengthBytes(parts);
  }

  /** Sends; {@code timeoutMillis}: a deadline for each read that is still queued, or 0. */
  void start(long timeoutMillis) {
    if (timeoutMillis > 0) {
      deadlineNanos = System.nanoTime() + timeoutMillis * 1_000_000;
      deadlineTimer = Deadline.start(timeoutMillis, this::deadlinePassed);
    }
    pump();
    if (!ended && !prepared) {
      watchClient();
    }
  }

  /** Only an answer that is not out at once has to know when its client leaves. */
  private void watchClient() {
    if (response.closed()) {
      clientLeft();
      return;
    }
    response.closeHandler(closed -> clientLeft());
    response.exceptionHandler(failure -> clientLeft());
    prepared = true;
  }

  /**
   * Reads and writes until something has to be waited for. Reads that end at once come back into
   * this very loop.
   */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    while (!ended && !reading && !mustWait()) {
      if (position < partEnd) {
        read();
      } else {
        nextPart();
      }
    }
    pumping = false;
  }

  private boolean mustWait() {
    if (waiting) {
      return true;
    }
    // Counted here: Vert.x calls its queue full by the number of messages, which are large ones.
    if (queuedBytes < QUEUE_BYTES) {
      return false;
    }
    waiting = true;
    queueFull = true;
    exchange.loop().stalls().watch(this, System.nanoTime());
    return true;
  }

  private void goOn() {
    waiting = false;
    queueFull = false;
    exchange.loop().stalls().forget(this);
    pump();
  }

  private void nextPart() {
    switch (parts.next()) {
      case BodyPart.Bytes(ByteRange range) -> {
        position = range.startBytes();
        partEnd = range.endBytes();
      }
      case BodyPart.Text(byte[] bytes) -> {
        unsentBytes -= bytes.length;
        send(Unpooled.wrappedBuffer(bytes), null);
      }
    }
  }

  private void read() {
    int length = (int) Math.min(CHUNK_BYTES - position % CHUNK_BYTES, partEnd - position);
    IoWindow next = IoWindow.around(position, length, volume.geometry());
    ByteBuf taken = exchange.loop().buffers().tryTake(next.allocationBytes());
    if (taken == null) {
      noBuffer();
      return;
    }
    buffer = taken;
    window = next;
    windowAddress = next.alignedAddress(taken.memoryAddress());
    reading = true;
    if (response.headWritten()) {
      volume.readOn(exchange.loop().io(), next, windowAddress, deadlineNanos, this);
    } else {
      volume.read(exchange.loop().io(), next, windowAddress, deadlineNanos, this);
    }
  }

  private void noBuffer() {
    if (!response.headWritten()) {
      fail(-Errno.OVERLOADED);
      return;
    }
    waiting = true;
    exchange
        .loop()
        .buffers()
        .whenRoom(
            () -> {
              boolean wanted = !ended;
              if (wanted) {
                goOn();
              }
              return wanted;
            });
  }

  @Override
  public void ended(long result) {
    ByteBuf read = buffer;
    IoWindow readWindow = window;
    if (read == null || readWindow == null) {
      throw new IllegalStateException("a read ended that nobody started");
    }
    reading = false;
    buffer = null;
    if (ended) {
      // The client has left, or its time was up, while the kernel still had the buffer.
      exchange.loop().buffers().give(read);
      exchange.close();
      return;
    }
    if (result < 0) {
      exchange.loop().buffers().give(read);
      fail(result);
      return;
    }
    int skip = (int) (windowAddress - read.memoryAddress()) + readWindow.skipBytes();
    read.setIndex(skip, skip + readWindow.rangeBytes());
    position += readWindow.rangeBytes();
    unsentBytes -= readWindow.rangeBytes();
    exchange.loop().plane().telemetry().sent(readWindow.rangeBytes());
    send(read, read);
    pump();
  }

  private void send(ByteBuf data, @Nullable ByteBuf toGiveBack) {
    if (!prepared && unsentBytes > 0) {
      watchClient();
    }
    boolean last = unsentBytes == 0;
    if (last) {
      finish();
    }
    int length = data.readableBytes();
    queuedBytes += length;
    Future<Void> written =
        last
            ? response.end(BufferInternal.buffer(data))
            : response.write(BufferInternal.buffer(data));
    written.onComplete(
        done -> {
          writesEnded++;
          queuedBytes -= length;
          if (toGiveBack != null) {
            exchange.loop().buffers().give(toGiveBack);
          }
          if (last) {
            exchange.close();
          } else if (queueFull && !ended && queuedBytes < QUEUE_BYTES) {
            goOn();
          }
        });
  }

  private void fail(long result) {
    finish();
    exchange.problem(Problem.ofResult(result, position, volume.id()));
  }

  private void deadlinePassed() {
    deadlineTimer = null;
    stop();
    if (response.headWritten()) {
      exchange.abort();
    } else {
      exchange.problemWithoutClosing(Problem.ofResult(-Errno.DEADLINE, position, volume.id()));
    }
    closeUnlessReading();
  }

  private void clientLeft() {
    if (!ended) {
      finish();
      closeUnlessReading();
    }
  }

  private void closeUnlessReading() {
    if (!reading) {
      exchange.close();
    }
  }

  private void finish() {
    stop();
    Deadline.cancel(deadlineTimer);
    deadlineTimer = null;
  }

  private void stop() {
    ended = true;
    exchange.loop().stalls().forget(this);
  }

  @Override
  public long progress() {
    return exchange.outboundProgress() + writesEnded;
  }

  @Override
  public void cut() {
    exchange.loop().plane().telemetry().stalledTransfer();
    if (!ended) {
      finish();
      exchange.abort();
      closeUnlessReading();
    }
  }
}
