package io.loopgate.config;

import io.loopgate.block.Quantities;
import java.util.Set;
import java.util.regex.Pattern;

/** Texts of users inside messages and YAML. */
final class Quoting {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z_]*");

  /** Plain words that a YAML reader may take for something that is not a text. */
  private static final Set<String> NOT_TEXT =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private Quoting() {}

  /** Returns the text in quotes for a message, shortened. */
  static String quote(String text) {
    return Quantities.quote(text);
  }

  /** Returns the text with control characters escaped, so that it stays on one line. */
  static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        appendEscape(line, c);
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  /**
   * Returns the text as a YAML scalar. Everything outside ASCII is escaped: the output is the same
   * in every locale.
   */
  static String yaml(String text) {
    if (PLAIN.matcher(text).matches() && !NOT_TEXT.contains(Values.lowerCase(text))) {
      return text;
    }
    StringBuilder scalar = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        scalar.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        appendEscape(scalar, c);
      } else {
        scalar.append(c);
      }
    }
    return scalar.append('"').toString();
  }

  /** Returns the text for a YAML comment. */
  static String comment(String text) {
    StringBuilder comment = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        appendEscape(comment, c);
      } else {
        comment.append(c);
      }
    }
    return comment.toString();
  }

  private static void appendEscape(StringBuilder to, char c) {
    to.append(String.format("\\u%04x", (int) c));
  }
}
