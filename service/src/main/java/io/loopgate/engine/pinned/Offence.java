package io.loopgate.engine.pinned;

/**
 * What stands in the way of pinning a file: the first place where the file system would still have
 * to decide something.
 *
 * @param offsetBytes where it begins
 * @param lengthBytes how long it is
 * @param kind what it is
 */
record Offence(long offsetBytes, long lengthBytes, Kind kind) {
  /** Kinds of places. */
  enum Kind {
    HOLE("a hole, where nothing is stored", true),
    UNWRITTEN("allocated ahead and never written", true),
    SHARED("shared with another file, by a reflink or a snapshot", false),
    DELAYED("not written out yet (delayed allocation)", false),
    ENCODED("stored compressed or encrypted", false),
    INLINE("stored beside other data (inline, packed or not aligned)", false),
    UNKNOWN("somewhere that the file system does not tell", false);

    private final String words;
    private final boolean fillable;

    Kind(String words, boolean fillable) {
      this.words = words;
      this.fillable = fillable;
    }

    /** Tells whether writing what it reads as mends it. */
    boolean isFillable() {
      return fillable;
    }
  }

  /** Returns the sentence for a refusal. */
  String words() {
    return "the range at offset " + offsetBytes + " of length " + lengthBytes + " is " + kind.words;
  }

  /** Returns what a user can do. */
  String remedy() {
    return switch (kind) {
      case HOLE, UNWRITTEN ->
          "write it whole with engine=pinned:fill, which takes as long as writing that much, or"
              + " take aio";
      case SHARED -> "serve a copy of its own (cp --reflink=never), or take aio";
      case DELAYED -> "wait until its writer is done, or take aio";
      case ENCODED, INLINE, UNKNOWN ->
          "copy it to ext4 or xfs without compression, encryption or inline data, or take aio";
    };
  }
}
