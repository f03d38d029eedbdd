package io.loopgate.backing.open;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.blockdev.BlockDevices;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.linear.LinearBacking;
import io.loopgate.backing.linear.LinearSpec;
import io.loopgate.backing.nullblk.NullBacking;
import io.loopgate.backing.ram.RamBacking;
import io.loopgate.block.Errno;
import io.loopgate.block.Quantities;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.SystemCalls;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Opens a backing by its name. Blocks; for control threads. */
public final class Backings {
  private static final Pattern PREFIXED = Pattern.compile("[a-z][a-z0-9+]+:.*", Pattern.DOTALL);
  private static final String FORMS =
      "the path of an image file or of a block device, `ram:SIZE`, `null:SIZE`, or `linear:A+B` to"
          + " join several";

  private static final String RAM = "ram:";
  private static final String NULL = "null:";
  private static final String LINEAR = "linear:";

  private Backings() {}

  /** Tells whether a name leads to a file or device, or to something that is none. */
  public static boolean isPath(String spec) {
    return !spec.startsWith(RAM) && !spec.startsWith(NULL) && !spec.startsWith(LINEAR);
  }

  /**
   * Opens what the name stands for.
   *
   * @param spec a path, {@code ram:SIZE}, {@code null:SIZE} or {@code linear:A+B+...}; relative
   *     paths start at the working directory, and {@code ./} allows a colon in the first name
   * @throws BackingException if there is no such backing or it cannot be opened as demanded
   */
  public static Backing open(String spec, OpenOptions options) {
    if (spec.startsWith(LINEAR)) {
      return openLinear(spec, options);
    }
    if (spec.startsWith(RAM)) {
      return RamBacking.open(size(spec, RAM), options);
    }
    if (spec.startsWith(NULL)) {
      return NullBacking.open(size(spec, NULL), options);
    }
    return openPath(spec, options);
  }

  private static long size(String spec, String prefix) {
    try {
      return Quantities.parseBytes(spec.substring(prefix.length()));
    } catch (IllegalArgumentException e) {
      throw new BackingException(
          "the size in `"
              + oneLine(spec)
              + "` makes no sense: "
              + oneLine(String.valueOf(e.getMessage())),
          Errno.EINVAL);
    }
  }

  private static Backing openLinear(String spec, OpenOptions options) {
    List<String> names = LinearSpec.segments(spec.substring(LINEAR.length()));
    List<Backing> segments = new ArrayList<>();
    try {
      for (String name : names) {
        segments.add(openSegment(name, segments.size(), options));
      }
      return LinearBacking.join(spec, segments, options.blockSizeBytes());
    } catch (RuntimeException failure) {
      segments.forEach(Backing::close);
      throw failure;
    }
  }

  private static Backing openSegment(String name, int index, OpenOptions options) {
    if (name.startsWith(LINEAR)) {
      throw new BackingException(
          "`linear:` cannot hold another `linear:`: name all segments in one", 0);
    }
    try {
      return open(name, options);
    } catch (BackingException e) {
      throw new BackingException("segment " + (index + 1) + ": " + e.getMessage(), e.errno());
    }
  }

  private static Backing openPath(String spec, OpenOptions options) {
    if (spec.isBlank()) {
      throw new BackingException("a volume needs a backing: name " + FORMS, 0);
    }
    if (PREFIXED.matcher(spec).matches()) {
      String kind = spec.substring(0, spec.indexOf(':'));
      throw new BackingException(
          "there is no backing of the kind `"
              + kind
              + ":` (in "
              + spec
              + "): name "
              + FORMS
              + "; a file whose name looks like this is written ./"
              + spec,
          0);
    }
    Path path = parse(spec);
    FileStatus status = OpenFile.look(SystemCalls.instance(), path);
    return status.isBlockDevice()
        ? BlockDevices.open(path, options)
        : FileBackings.open(path, options);
  }

  private static Path parse(String spec) {
    try {
      return Path.of(spec);
    } catch (InvalidPathException failure) {
      throw new BackingException(
          "`" + oneLine(spec) + "` is not a path (" + failure.getReason() + "): name " + FORMS,
          Errno.EINVAL);
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
