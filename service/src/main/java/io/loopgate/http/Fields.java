package io.loopgate.http;

import io.vertx.core.http.HttpHeaders;

/**
 * The names of header fields, spelled as people and old clients write them: qemu before 5.2 looks
 * for {@code Accept-Ranges: bytes} letter by letter. Look-ups do not care, and HTTP/2 lowers them.
 */
final class Fields {
  static final CharSequence ACCEPT = name("Accept");
  static final CharSequence ACCEPT_RANGES = name("Accept-Ranges");
  static final CharSequence ALLOW = name("Allow");
  static final CharSequence CACHE_CONTROL = name("Cache-Control");
  static final CharSequence CONNECTION = name("Connection");
  static final CharSequence CONTENT_ENCODING = name("Content-Encoding");
  static final CharSequence CONTENT_LENGTH = name("Content-Length");
  static final CharSequence CONTENT_RANGE = name("Content-Range");
  static final CharSequence CONTENT_TYPE = name("Content-Type");
  static final CharSequence DATE = name("Date");
  static final CharSequence ETAG = name("ETag");
  static final CharSequence EXPECT = name("Expect");
  static final CharSequence HOST = name("Host");
  static final CharSequence IF_MATCH = name("If-Match");
  static final CharSequence IF_NONE_MATCH = name("If-None-Match");
  static final CharSequence IF_RANGE = name("If-Range");
  static final CharSequence LOCATION = name("Location");
  static final CharSequence RANGE = name("Range");
  static final CharSequence TRANSFER_ENCODING = name("Transfer-Encoding");

  private Fields() {}

  private static CharSequence name(String name) {
    return HttpHeaders.createOptimized(name);
  }
}
