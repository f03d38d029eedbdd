package io.loopgate.bench.report;

/** Writes well-formed markup. */
final class Xml {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup as it is. */
  Xml raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Adds an element that holds only text; {@code start} is its name and attributes. */
  Xml element(String start, String content) {
    int space = start.indexOf(' ');
    String name = space < 0 ? start : start.substring(0, space);
    return raw("<" + start + ">" + escape(content) + "</" + name + ">\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** Returns text that markup may hold, in an attribute too; what XML has no way to say is "?". */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n', '\t' -> escaped.append(' ');
                default -> escaped.appendCodePoint(isXml(character) ? character : '?');
              }
            });
    return escaped.toString();
  }

  private static boolean isXml(int character) {
    return character >= 0x20
        && character <= 0x10_FFFF
        && (character < 0xD800 || character > 0xDFFF)
        && character != 0xFFFE
        && character != 0xFFFF;
  }
}
