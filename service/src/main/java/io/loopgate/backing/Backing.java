package io.loopgate.backing;

import io.loopgate.block.BlockRequest;

/**
 * Where the bytes of one volume live.
 *
 * <p>Guarantees an implementation gives:
 *
 * <ol>
 *   <li>{@link #execute} and {@link #tryNow} may run on many threads at once. They never touch the
 *       completion of the request, never keep it, and never call {@link BlockRequest#advance}: the
 *       caller does.
 *   <li>A result is what this one step did to the <em>remaining</em> part of the request: bytes
 *       (short transfers are ordinary), or a negative {@link io.loopgate.block.Errno} number. Flush
 *       answers 0.
 *   <li>A step that moved nothing below the known size is {@code -TRUNCATED}, never 0.
 *   <li>Discard and zero read back as zeroes. They may answer a part of the range, so that one step
 *       stays short.
 *   <li>Reads and writes are aligned to the geometry; discard and zero may begin and end anywhere.
 *   <li>Ranges lie inside the size when the request is made; the volume has checked.
 * </ol>
 */
public interface Backing extends AutoCloseable {
  /** Returns the shape; the size changes with {@link #resize} only. */
  Geometry geometry();

  /** Returns what was found out when it was opened; never changes. */
  BackingCapabilities capabilities();

  /** Returns how it was named in the configuration, such as a path. */
  String description();

  /** Tells whether it was opened for reading only. */
  boolean readOnly();

  /**
   * Returns a text that names this very content as far as the system can tell (device, inode,
   * times), the same for every opening while nothing changed; it makes the entity tag of a
   * read-only volume stand still.
   */
  String identity();

  /** Does the next step of the request; may block for as long as the device does. */
  long execute(BlockRequest request);

  /**
   * Does the next step of the request if that needs no waiting.
   *
   * @return bytes, {@code -EAGAIN} (not now), {@code -EOPNOTSUPP} (never), or another error
   */
  long tryNow(BlockRequest request);

  /**
   * Tells what lies at an offset. May block; for control threads.
   *
   * @param offsetBytes inside the backing
   * @return the extent that holds the offset, from the offset on
   */
  Extent extentAt(long offsetBytes);

  /** Returns how many bytes are stored; may block shortly; for control threads. */
  long allocatedBytes();

  /**
   * Changes the size. The caller keeps commands beyond the smaller of both sizes away. For control
   * threads.
   *
   * @throws BackingException if it cannot
   */
  void resize(long newSizeBytes);

  /** Gives everything back. No command may be running. */
  @Override
  void close();
}
