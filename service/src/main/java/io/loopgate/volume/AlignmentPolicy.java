package io.loopgate.volume;

/** What happens to a write that does not begin and end on the alignment of the volume. */
public enum AlignmentPolicy {
  /** It is read, modified and written under a range lock. */
  ANY,
  /** It is refused as {@code misaligned}. */
  STRICT
}
