package io.loopgate.http;

import static io.loopgate.http.HeadText.ascii;

import io.netty.buffer.ByteBuf;

/**
 * Looks at the head of an HTTP/1.1 request in its bytes: where the request ends, and whether it is
 * a plain read or write of one range. One per event loop, used again and again; allocates nothing.
 *
 * <p>It understands less than HTTP allows, on purpose. What it takes as {@link Kind#FRAMED} has one
 * meaning only (RFC 9112, 6.3), so that this view of where a message ends can never differ from
 * that of the parser behind it; all else is {@link Kind#FOREIGN}.
 */
final class RequestHead {
  /** What the bytes are. */
  enum Kind {
    /** It needs a real parser: nothing is known of what follows. */
    FOREIGN,

    /** The beginning of a head, so far with one meaning only. */
    PARTIAL,

    /** A request whose length is certain. */
    FRAMED,

    /** A GET of one range of a volume's data, and no field that asks for more. */
    READ,

    /** A PUT of one range of a volume's data, its length known, and no field that asks for more. */
    WRITE
  }

  /** What a write says of its durability. */
  enum Flush {
    UNSAID,
    YES,
    NO
  }

  private static final byte[] READ_BEGIN = ascii("GET /v1/volumes/");
  private static final byte[] WRITE_BEGIN = ascii("PUT /v1/volumes/");
  private static final byte[] DATA = ascii("/data");
  private static final byte[] LINE_END = ascii(" HTTP/1.1\r\n");
  private static final byte[] QUERY = ascii("?");
  private static final byte[] AND = ascii("&");
  private static final byte[] FLUSH_YES = ascii("flush=y");
  private static final byte[] FLUSH_NO = ascii("flush=n");
  private static final byte[] OFFSET = ascii("offset=");
  private static final byte[] BYTES_EQUALS = ascii("bytes=");
  private static final byte[] BYTES_BLANK = ascii("bytes ");

  /** Those that change what a message is, or how long. */
  private static final byte[][] FOREIGN_FIELDS = {
    ascii("transfer-encoding"), ascii("upgrade"), ascii("http2-settings"), ascii("expect")
  };

  /** Those that have no bearing on the answer. */
  private static final byte[][] PASSIVE_FIELDS = {
    ascii("user-agent"),
    ascii("accept"),
    ascii("accept-encoding"),
    ascii("accept-language"),
    ascii("content-type"),
    ascii("x-forwarded-for"),
    ascii("x-forwarded-host"),
    ascii("x-forwarded-proto"),
    ascii("x-real-ip")
  };

  private static final byte[] HOST = ascii("host");
  private static final byte[] RANGE = ascii("range");
  private static final byte[] CONTENT_RANGE = ascii("content-range");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] KEEP_ALIVE = ascii("keep-alive");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");

  private final HeadText text = new HeadText();
  private Kind kind = Kind.FRAMED;
  private int idFrom;
  private int idTo;
  private long bodyBytes;
  private long firstByte;
  private long lastByte;
  private long totalBytes;
  private Flush flush = Flush.UNSAID;
  private int hosts;
  private int places;
  private boolean plain;
  private boolean foreign;

  /** Looks at the readable bytes and leaves them as they are. */
  Kind parse(ByteBuf in) {
    text.load(in);
    kind = Kind.FRAMED;
    bodyBytes = -1;
    totalBytes = -1;
    flush = Flush.UNSAID;
    hosts = 0;
    places = 0;
    plain = true;
    foreign = false;
    if (!isDataLine() && !text.skipRequestLine()) {
      return broken();
    }
    while (text.isAtField()) {
      if (!text.skipField() || !take()) {
        return broken();
      }
    }
    if (!text.lineEnds()) {
      return broken();
    }
    return plain && hosts == 1 && places == 1 && fitsBody() ? kind : Kind.FRAMED;
  }

  /** Where reading stopped there is something else than expected, or just nothing more. */
  private Kind broken() {
    return text.ranOut() && !foreign ? Kind.PARTIAL : Kind.FOREIGN;
  }

  private boolean fitsBody() {
    if (kind == Kind.READ) {
      return bodyBytes < 0;
    }
    if (lastByte < 0) {
      lastByte = firstByte + bodyBytes - 1;
    }
    return bodyBytes > 0 && lastByte - firstByte + 1 == bodyBytes;
  }

  private boolean isDataLine() {
    if (text.skipWhole(READ_BEGIN)) {
      kind = Kind.READ;
    } else if (text.skipWhole(WRITE_BEGIN)) {
      kind = Kind.WRITE;
    } else {
      return false;
    }
    idFrom = text.at();
    boolean named = text.skipId();
    idTo = text.at();
    if (named && text.skipWhole(DATA) && (kind == Kind.READ || query())) {
      if (text.skipWhole(LINE_END)) {
        return true;
      }
    }
    kind = Kind.FRAMED;
    return false;
  }

  /** Reads the query of a write, if there is one. */
  private boolean query() {
    if (!text.skipWhole(QUERY)) {
      return true;
    }
    do {
      if (flush == Flush.UNSAID && text.skipWhole(FLUSH_NO)) {
        flush = Flush.NO;
      } else if (flush == Flush.UNSAID && text.skipWhole(FLUSH_YES)) {
        flush = Flush.YES;
      } else if (places == 0 && text.skipWhole(OFFSET)) {
        places++;
        firstByte = text.skipNumber();
        lastByte = -1;
        if (firstByte < 0) {
          return false;
        }
      } else {
        return false;
      }
    } while (text.skipWhole(AND));
    return true;
  }

  /** Takes note of a field; false if the message may be other than it seems. */
  private boolean take() {
    if (text.isNamed(HOST)) {
      hosts++;
      plain &= text.hasHost();
    } else if (text.isNamed(RANGE)) {
      places++;
      plain &= kind == Kind.READ && range();
    } else if (text.isNamed(CONTENT_RANGE)) {
      places++;
      plain &= kind == Kind.WRITE && contentRange();
    } else if (text.isNamed(CONNECTION)) {
      plain &= text.hasValue(KEEP_ALIVE);
    } else if (text.isNamed(CONTENT_LENGTH)) {
      foreign = bodyBytes >= 0;
      bodyBytes = text.valueNumber();
      foreign |= bodyBytes < 0;
    } else if (isNamedOneOf(FOREIGN_FIELDS)) {
      foreign = true;
    } else {
      plain &= isNamedOneOf(PASSIVE_FIELDS);
    }
    return !foreign;
  }

  private boolean isNamedOneOf(byte[][] names) {
    for (byte[] name : names) {
      if (text.isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  private boolean range() {
    return text.valueStartsWith(BYTES_EQUALS) && bounds(BYTES_EQUALS, text.valueTo());
  }

  private boolean contentRange() {
    if (!text.valueStartsWith(BYTES_BLANK)) {
      return false;
    }
    int slash = text.find(BYTES_BLANK, '/');
    boolean any = text.isOnly(slash + 1, text.valueTo(), '*');
    totalBytes = any ? -1 : text.number(slash + 1, text.valueTo());
    return (any || totalBytes >= 0) && bounds(BYTES_BLANK, slash);
  }

  private boolean bounds(byte[] behind, int to) {
    int dash = text.find(behind, '-');
    firstByte = text.number(text.valueFrom() + behind.length, dash);
    lastByte = dash < to ? text.number(dash + 1, to) : -1;
    return firstByte >= 0 && lastByte >= firstByte;
  }

  /** Returns how long the head is, with the empty line at its end; unless foreign. */
  int headBytes() {
    return text.at();
  }

  /** Returns how long the body is; unless foreign. */
  long bodyBytes() {
    return Math.max(0, bodyBytes);
  }

  /** Returns how long the whole request is; unless foreign. */
  long requestBytes() {
    return headBytes() + bodyBytes();
  }

  /** Tells whether a read or write is of this volume. */
  boolean names(byte[] id) {
    return text.isText(idFrom, idTo, id);
  }

  /** Returns the id of the volume of a read or write. */
  String id() {
    return text.text(idFrom, idTo);
  }

  /** Returns the first byte of a read or write. */
  long firstByte() {
    return firstByte;
  }

  /** Returns the last byte of a read or write as it was asked for; it may lie past the end. */
  long lastByte() {
    return lastByte;
  }

  /** Returns how long a write says that the volume is, or -1. */
  long totalBytes() {
    return totalBytes;
  }

  /** Returns what a write says of its durability. */
  Flush flush() {
    return flush;
  }
}
