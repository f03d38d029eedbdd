package io.loopgate.volume;

import io.loopgate.block.BlockOp;
import io.loopgate.sys.NativeMemory;

/**
 * An unaligned write to a volume that moves whole blocks only: reads the blocks at both edges,
 * keeps their bytes outside the range, and writes the window. Runs under an exclusive lock on the
 * window; confined to its loop.
 */
final class ReadModifyWrite {
  private final Volume volume;
  private final IoLoop loop;
  private final IoWindow window;
  private final long address;
  private final long scratchAddress;
  private final long deadlineNanos;
  private final IoHandler handler;
  private boolean begins;

  ReadModifyWrite(
      Volume volume,
      IoLoop loop,
      boolean begins,
      IoWindow window,
      long address,
      long deadlineNanos,
      IoHandler handler) {
    this.volume = volume;
    this.loop = loop;
    this.begins = begins;
    this.window = window;
    this.address = address;
    this.scratchAddress = address + window.lengthBytes();
    this.deadlineNanos = deadlineNanos;
    this.handler = handler;
  }

  void start() {
    if (window.skipBytes() > 0) {
      readBlock(window.startBytes(), this::keepHead);
    } else {
      readTail();
    }
  }

  private void keepHead() {
    NativeMemory.copy(scratchAddress, address, window.skipBytes());
    if (window.lengthBytes() == window.alignmentBytes()) {
      // One block is both edges.
      keepTail();
    } else {
      readTail();
    }
  }

  private void readTail() {
    if (tailBytes() == 0) {
      write();
      return;
    }
    long lastBlock = window.startBytes() + window.lengthBytes() - window.alignmentBytes();
    readBlock(lastBlock, this::keepTail);
  }

  private int tailBytes() {
    return window.lengthBytes() - window.skipBytes() - window.rangeBytes();
  }

  private void keepTail() {
    int tail = tailBytes();
    NativeMemory.copy(
        scratchAddress + window.alignmentBytes() - tail,
        address + window.lengthBytes() - tail,
        tail);
    write();
  }

  private void readBlock(long offsetBytes, Runnable next) {
    int length = window.alignmentBytes();
    boolean first = begins;
    begins = false;
    volume.submit(
        loop,
        first,
        BlockOp.READ,
        offsetBytes,
        length,
        scratchAddress,
        0,
        deadlineNanos,
        result -> {
          if (result < 0) {
            handler.ended(result);
          } else {
            next.run();
          }
        });
  }

  private void write() {
    volume.submit(
        loop,
        false,
        BlockOp.WRITE,
        window.startBytes(),
        window.lengthBytes(),
        address,
        0,
        deadlineNanos,
        result -> handler.ended(result < 0 ? result : window.rangeBytes()));
  }
}
