package io.loopgate.admin;

/** Writes text into HTML. */
final class Html {
  private Html() {}

  /** Returns text that a browser shows as it is, in an element or in a quoted attribute. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  /** Returns a number of bytes for people, with the exact one beside it where it was rounded. */
  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = Math.min(6, (63 - Long.numberOfLeadingZeros(bytes)) / 10);
    double value = bytes / Math.pow(1024, power);
    return "%.1f %ciB".formatted(value, " KMGTPE".charAt(power));
  }
}
