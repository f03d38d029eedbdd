package io.loopgate.engine.pinned;

import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_DATA_INLINE;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_DATA_TAIL;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_DELALLOC;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_ENCODED;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_NOT_ALIGNED;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_SHARED;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_UNKNOWN;
import static io.loopgate.sys.LinuxConstants.FIEMAP_EXTENT_UNWRITTEN;

import io.loopgate.engine.pinned.Offence.Kind;
import io.loopgate.sys.FileExtents;
import io.loopgate.sys.SystemCalls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every extent of a file. For one thread; blocks.
 *
 * <p>dm-loop asked the file system for the device address of every block (->bmap) and used those
 * afterwards; that bypasses the file system, and was rejected for it. Here only its precondition is
 * kept: a file that is written and private from end to end needs no allocation, no conversion and
 * no copy when it is overwritten. Transfers still go through the file system, so a proof that goes
 * stale costs time and never bytes.
 */
final class FileProof {
  private final long sizeBytes;
  private @Nullable Offence first;
  private @Nullable Offence firstBeyondFilling;
  private long reachedBytes;
  private long holeBytes;
  private long unwrittenBytes;
  private long extents;

  private FileProof(long fromBytes, long sizeBytes) {
    this.reachedBytes = fromBytes;
    this.sizeBytes = sizeBytes;
  }

  /**
   * What was found.
   *
   * @param result 0, or the negative error number with which the file system refused to tell
   * @param first the first place that stands in the way
   * @param firstBeyondFilling the first that writing does not mend
   * @param holeBytes how much is holes
   * @param unwrittenBytes how much is allocated and never written
   * @param extents how many extents there are
   */
  record Findings(
      long result,
      Optional<Offence> first,
      Optional<Offence> firstBeyondFilling,
      long holeBytes,
      long unwrittenBytes,
      long extents) {}

  /** Looks at the whole file, after what is dirty has been written out. */
  static Findings examine(SystemCalls calls, int fd, long sizeBytes) {
    FileProof proof = new FileProof(0, sizeBytes);
    long result =
        FileExtents.walk(
            calls,
            fd,
            0,
            sizeBytes,
            true,
            (start, length, flags) -> {
              proof.note(start, length, flags);
              return true;
            });
    proof.hole(sizeBytes);
    return new Findings(
        result,
        Optional.ofNullable(proof.first),
        Optional.ofNullable(proof.firstBeyondFilling),
        proof.holeBytes,
        proof.unwrittenBytes,
        proof.extents);
  }

  /** Returns the first place from an offset on that stands in the way. */
  static Optional<Offence> next(SystemCalls calls, int fd, long fromBytes, long sizeBytes) {
    FileProof proof = new FileProof(fromBytes, sizeBytes);
    FileExtents.walk(
        calls,
        fd,
        fromBytes,
        sizeBytes,
        false,
        (start, length, flags) -> {
          proof.note(start, length, flags);
          return proof.first == null;
        });
    if (proof.first == null) {
      proof.hole(sizeBytes);
    }
    return Optional.ofNullable(proof.first);
  }

  private void note(long startBytes, long lengthBytes, int flags) {
    hole(Math.min(startBytes, sizeBytes));
    long endBytes = Math.min(startBytes + lengthBytes, sizeBytes);
    long fromBytes = Math.max(startBytes, reachedBytes);
    if (endBytes <= fromBytes) {
      return;
    }
    extents++;
    Kind kind = kind(flags);
    if (kind != null) {
      if (kind == Kind.UNWRITTEN) {
        unwrittenBytes += endBytes - fromBytes;
      }
      offence(new Offence(fromBytes, endBytes - fromBytes, kind));
    }
    reachedBytes = endBytes;
  }

  /** What no extent covers up to here is a hole. */
  private void hole(long endBytes) {
    if (endBytes > reachedBytes) {
      holeBytes += endBytes - reachedBytes;
      offence(new Offence(reachedBytes, endBytes - reachedBytes, Kind.HOLE));
      reachedBytes = endBytes;
    }
  }

  private void offence(Offence found) {
    if (first == null) {
      first = found;
    }
    if (firstBeyondFilling == null && !found.kind().isFillable()) {
      firstBeyondFilling = found;
    }
  }

  /** What writing does not mend comes first: an extent may have several flags. */
  private static @Nullable Kind kind(int flags) {
    if ((flags & FIEMAP_EXTENT_SHARED) != 0) {
      return Kind.SHARED;
    }
    if ((flags & FIEMAP_EXTENT_ENCODED) != 0) {
      return Kind.ENCODED;
    }
    if ((flags & (FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL)) != 0) {
      return Kind.INLINE;
    }
    if ((flags & FIEMAP_EXTENT_DELALLOC) != 0) {
      return Kind.DELAYED;
    }
    if ((flags & FIEMAP_EXTENT_UNKNOWN) != 0) {
      return Kind.UNKNOWN;
    }
    if ((flags & FIEMAP_EXTENT_NOT_ALIGNED) != 0) {
      return Kind.INLINE;
    }
    return (flags & FIEMAP_EXTENT_UNWRITTEN) != 0 ? Kind.UNWRITTEN : null;
  }
}
