package io.loopgate.backing.linear;

import io.loopgate.backing.BackingException;
import java.util.ArrayList;
import java.util.List;

/** How users name a linear backing: {@code linear:A+B+...}, where a plus sign in a path is \+. */
public final class LinearSpec {
  /** Each segment has an engine of its own. */
  private static final int SEGMENTS_MAX = 32;

  private LinearSpec() {}

  /**
   * Returns the names of the segments.
   *
   * @param spec what is behind {@code linear:}
   * @throws BackingException if there are too many of them, or one is empty
   */
  public static List<String> segments(String spec) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < spec.length(); i++) {
      char c = spec.charAt(i);
      if (c == '\\' && i + 1 < spec.length() && spec.charAt(i + 1) == '+') {
        name.append('+');
        i++;
      } else if (c == '+') {
        names.add(name.toString());
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    names.add(name.toString());
    check(spec, names);
    return names;
  }

  private static void check(String spec, List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).isBlank()) {
        throw new BackingException(
            "segment "
                + (i + 1)
                + " of `linear:"
                + spec
                + "` is empty: name a path, `ram:SIZE` or `null:SIZE` (a plus sign in a path is"
                + " written \\+)",
            0);
      }
    }
    if (names.size() > SEGMENTS_MAX) {
      throw new BackingException(
          "`linear:` takes up to " + SEGMENTS_MAX + " segments, not " + names.size(), 0);
    }
  }
}
