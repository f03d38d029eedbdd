package io.loopgate.bench.shape;

import io.loopgate.config.Units;
import java.util.Locale;

/** What lies beneath the engines. */
public sealed interface Target {
  /** What the size of a part is a multiple of. */
  int PART_MULTIPLE_BYTES = 1 << 20;

  /** Returns a few words for reports. */
  String text();

  /**
   * Returns the same size as several files, one after the other.
   *
   * @throws IllegalArgumentException if this is not one written file
   */
  default Target inParts(int parts) {
    throw new IllegalArgumentException("parts= is for one written file, not for " + text());
  }

  /**
   * A regular file.
   *
   * @param fresh whether every run gets a new one
   * @param copy tells it from others of the same kind, for those that want no other at theirs
   */
  record Image(long sizeBytes, Fill fill, boolean fresh, int copy) implements Target {
    /** The first one. */
    public Image(long sizeBytes, Fill fill, boolean fresh) {
      this(sizeBytes, fill, fresh, 0);
    }

    @Override
    public Target inParts(int parts) {
      return fresh || fill != Fill.WRITTEN
          ? Target.super.inParts(parts)
          : new Linear(parts, sizeBytes / parts / PART_MULTIPLE_BYTES * PART_MULTIPLE_BYTES);
    }

    @Override
    public String text() {
      return (fresh ? "fresh " : "")
          + fill.name().toLowerCase(Locale.ROOT)
          + " file of "
          + Units.formatBytes(sizeBytes);
    }
  }

  /** The image of a live CD: a squashfs of a folder of this machine. */
  record LiveCd() implements Target {
    @Override
    public String text() {
      return "squashfs image of a folder of this machine";
    }
  }

  /** Several written files, one after the other as one volume. */
  record Linear(int parts, long partBytes) implements Target {
    @Override
    public String text() {
      return "linear over " + parts + " written files of " + Units.formatBytes(partBytes);
    }
  }

  /** What a server that runs already has. */
  record Remote(String url, long sizeBytes) implements Target {
    @Override
    public String text() {
      return Units.formatBytes(sizeBytes) + " of " + url;
    }
  }

  /** Memory of the process. */
  record Ram(long sizeBytes) implements Target {
    @Override
    public String text() {
      return "ram of " + Units.formatBytes(sizeBytes);
    }
  }

  /** Nothing: every command ends at once. */
  record Nothing(long sizeBytes) implements Target {
    @Override
    public String text() {
      return "null of " + Units.formatBytes(sizeBytes);
    }
  }
}
