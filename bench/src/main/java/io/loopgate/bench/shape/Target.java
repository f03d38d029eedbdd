package io.loopgate.bench.shape;

import io.loopgate.config.Units;
import java.util.Locale;

/** What lies beneath the engines. */
public sealed interface Target {
  /** Returns a few words for reports. */
  String text();

  /**
   * A regular file.
   *
   * @param fresh whether every run gets a new one
   */
  record Image(long sizeBytes, Fill fill, boolean fresh) implements Target {
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
