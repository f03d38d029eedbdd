package io.loopgate.backing.open;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.blockdev.BlockDevices;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.Errno;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.SystemCalls;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Opens a backing by its name. Blocks; for control threads. */
public final class Backings {
  private static final Pattern PREFIXED = Pattern.compile("[a-z][a-z0-9+]+:.*", Pattern.DOTALL);
  private static final String FORMS = "the path of an image file or of a block device";

  private Backings() {}

  /**
   * Opens what the name stands for.
   *
   * @param spec a path; relative ones start at the working directory, and {@code ./} allows a colon
   *     in the first name
   * @throws BackingException if there is no such backing or it cannot be opened as demanded
   */
  public static Backing open(String spec, OpenOptions options) {
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
          "`"
              + spec.replaceAll("\\p{Cntrl}", "?")
              + "` is not a path ("
              + failure.getReason()
              + "): name "
              + FORMS,
          Errno.EINVAL);
    }
  }
}
