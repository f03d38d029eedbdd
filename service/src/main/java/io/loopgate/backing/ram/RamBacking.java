package io.loopgate.backing.ram;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.SizeRule;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.block.Quantities;
import io.loopgate.sys.NativeMemory;
import io.loopgate.sys.SystemCalls;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A RAM disk ({@code drivers/block/brd.c}): sparse, as fast as memory, and gone when it is closed.
 *
 * <p>No command of it waits, so an event loop may run each. Reads and writes go on without locks,
 * see {@link ChunkTable}; what overlapping ones leave behind is a mixture, as on any disk.
 */
public final class RamBacking implements Backing {
  /** What one step copies at most: long enough to be cheap, short enough for an event loop. */
  static final int STEP_BYTES_MAX = 1 << 20;

  /** Dropping the pages of a chunk takes some ten microseconds. */
  private static final long ERASE_STEP_BYTES_MAX = 64L << 20;

  private static final int PREFERRED_IO_BYTES = 256 * 1024;
  private static final int NONCE_BYTES = 8;
  private static final Support READ_ONLY = Support.no("opened for reading only");
  private static final Support NOW = Support.yes("memory is never waited for");
  private static final Support GONE =
      Support.no("it is kept in memory, and lost when the process ends");

  private final OpenOptions options;
  private final RamQuota quota;
  private final ChunkTable chunks;
  private final BackingCapabilities capabilities;
  private final String nonce;
  private volatile Geometry geometry;
  private boolean closed;

  private RamBacking(long sizeBytes, OpenOptions options, RamQuota quota, SystemCalls calls) {
    this.options = options;
    this.quota = quota;
    this.chunks = new ChunkTable(calls);
    chunks.grow(ChunkTable.chunksFor(sizeBytes));
    this.geometry = new Geometry(sizeBytes, 1, 1, PREFERRED_IO_BYTES);
    this.capabilities = capabilities(options.readOnly());
    byte[] random = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(random);
    this.nonce = HexFormat.of().formatHex(random);
  }

  private static BackingCapabilities capabilities(boolean readOnly) {
    Support change = readOnly ? READ_ONLY : Support.yes("memory is given back in chunks of 1 MiB");
    return new BackingCapabilities(
        NOW,
        readOnly ? READ_ONLY : NOW,
        Support.no("memory has no page cache to go past"),
        change,
        readOnly ? READ_ONLY : Support.yes("memory is overwritten"),
        GONE,
        GONE,
        Support.yes("it knows which chunks were written"),
        true);
  }

  /**
   * Makes a RAM disk full of zeroes.
   *
   * @throws BackingException if the size makes no sense, or is more than the machine can spare
   */
  public static Backing open(long sizeBytes, OpenOptions options) {
    return open(sizeBytes, options, RamQuota.ofMachine(), SystemCalls.instance());
  }

  static RamBacking open(long sizeBytes, OpenOptions options, RamQuota quota, SystemCalls calls) {
    String name = name(sizeBytes);
    SizeRule.check(name, sizeBytes, options.blockSizeBytes());
    if (options.direct()) {
      throw new BackingException(
          name + " takes no `direct=on`: memory has no page cache to go past; remove it", 0);
    }
    quota.take(name, sizeBytes);
    return new RamBacking(sizeBytes, options, quota, calls);
  }

  private static String name(long sizeBytes) {
    return "ram:" + Quantities.formatBytes(sizeBytes);
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public BackingCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public String description() {
    return name(geometry.sizeBytes());
  }

  @Override
  public boolean readOnly() {
    return options.readOnly();
  }

  /** One that is never written holds the same zeroes each time; any other is like no other. */
  @Override
  public String identity() {
    String size = "ram." + Long.toHexString(geometry.sizeBytes());
    return options.readOnly() ? size : size + "." + nonce;
  }

  @Override
  public long execute(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE -> write(request);
      case FLUSH -> 0;
      case DISCARD -> erase(request, true);
      case ZERO -> erase(request, request.mayUnmap());
    };
  }

  @Override
  public long tryNow(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE -> options.readOnly() ? -Errno.EOPNOTSUPP : write(request);
      // Not for want of speed: who tries, tries transfers only.
      case FLUSH, DISCARD, ZERO -> -Errno.EOPNOTSUPP;
    };
  }

  private boolean isBeyondEnd(BlockRequest request) {
    return request.remainingOffsetBytes() + request.remainingBytes() > geometry.sizeBytes();
  }

  private long read(BlockRequest request) {
    if (isBeyondEnd(request)) {
      return -Errno.TRUNCATED;
    }
    long step = Math.min(request.remainingBytes(), STEP_BYTES_MAX);
    long done = 0;
    while (done < step) {
      long offset = request.remainingOffsetBytes() + done;
      long within = offset % ChunkTable.CHUNK_BYTES;
      long length = Math.min(step - done, ChunkTable.CHUNK_BYTES - within);
      long address = chunks.addressOfData(offset / ChunkTable.CHUNK_BYTES);
      if (address == 0) {
        NativeMemory.zero(request.remainingAddress() + done, length);
      } else {
        NativeMemory.copy(address + within, request.remainingAddress() + done, length);
      }
      done += length;
    }
    return done;
  }

  private long write(BlockRequest request) {
    if (options.readOnly()) {
      return -Errno.READ_ONLY;
    }
    if (isBeyondEnd(request)) {
      return -Errno.TRUNCATED;
    }
    long step = Math.min(request.remainingBytes(), STEP_BYTES_MAX);
    long done = 0;
    while (done < step) {
      long offset = request.remainingOffsetBytes() + done;
      long chunk = offset / ChunkTable.CHUNK_BYTES;
      long within = offset % ChunkTable.CHUNK_BYTES;
      long length = Math.min(step - done, ChunkTable.CHUNK_BYTES - within);
      long address = chunks.addressForWriting(chunk);
      if (address < 0) {
        return done > 0 ? done : address;
      }
      NativeMemory.copy(request.remainingAddress() + done, address + within, length);
      chunks.written(chunk);
      done += length;
    }
    return done;
  }

  private long erase(BlockRequest request, boolean unmap) {
    if (options.readOnly()) {
      return -Errno.READ_ONLY;
    }
    if (isBeyondEnd(request)) {
      return -Errno.TRUNCATED;
    }
    long step = Math.min(request.remainingBytes(), ERASE_STEP_BYTES_MAX);
    erase(request.remainingOffsetBytes(), request.remainingOffsetBytes() + step, unmap);
    return step;
  }

  private void erase(long fromBytes, long endBytes, boolean unmap) {
    for (long offset = fromBytes; offset < endBytes; ) {
      long chunk = offset / ChunkTable.CHUNK_BYTES;
      long chunkStart = chunk * ChunkTable.CHUNK_BYTES;
      long chunkEnd = chunkStart + ChunkTable.CHUNK_BYTES;
      long end = Math.min(endBytes, chunkEnd);
      // Nor the last one if the size ends inside: it may be growing, and written behind that end.
      if (unmap && offset == chunkStart && end == chunkEnd) {
        chunks.drop(chunk);
      } else {
        long address = chunks.addressOfData(chunk);
        if (address != 0) {
          NativeMemory.zero(address + offset - chunkStart, end - offset);
        }
      }
      offset = end;
    }
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    long sizeBytes = geometry.sizeBytes();
    long chunk = offsetBytes / ChunkTable.CHUNK_BYTES;
    long last = ChunkTable.chunksFor(sizeBytes) - 1;
    boolean data = chunks.holdsData(chunk);
    while (chunk < last && chunks.holdsData(chunk + 1) == data) {
      chunk++;
    }
    long endBytes = Math.min(sizeBytes, (chunk + 1) * ChunkTable.CHUNK_BYTES);
    return new Extent(offsetBytes, endBytes - offsetBytes, !data);
  }

  @Override
  public long allocatedBytes() {
    long sizeBytes = geometry.sizeBytes();
    long count = ChunkTable.chunksFor(sizeBytes);
    long allocated = 0;
    for (long chunk = 0; chunk < count; chunk++) {
      if (chunks.holdsData(chunk)) {
        long start = chunk * ChunkTable.CHUNK_BYTES;
        allocated += Math.min(ChunkTable.CHUNK_BYTES, sizeBytes - start);
      }
    }
    return allocated;
  }

  @Override
  public synchronized void resize(long newSizeBytes) {
    Geometry old = geometry;
    if (options.readOnly()) {
      throw new BackingException(
          "cannot resize " + description() + ": it is opened for reading only", Errno.EROFS);
    }
    SizeRule.check(description(), newSizeBytes, options.blockSizeBytes());
    if (newSizeBytes > old.sizeBytes()) {
      quota.take(name(newSizeBytes), newSizeBytes - old.sizeBytes());
      chunks.grow(ChunkTable.chunksFor(newSizeBytes));
    } else {
      // Whoever grows it again finds zeroes.
      long lastChunks = ChunkTable.chunksFor(old.sizeBytes());
      erase(newSizeBytes, lastChunks * ChunkTable.CHUNK_BYTES, true);
      quota.giveBack(old.sizeBytes() - newSizeBytes);
    }
    geometry = old.withSizeBytes(newSizeBytes);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      quota.giveBack(geometry.sizeBytes());
      chunks.close();
    }
  }
}
