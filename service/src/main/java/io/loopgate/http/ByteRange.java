package io.loopgate.http;

/**
 * A range of bytes that exists.
 *
 * @param startBytes its first byte
 * @param endBytes the byte behind its last
 */
record ByteRange(long startBytes, long endBytes) {
  long lengthBytes() {
    return endBytes - startBytes;
  }

  /** Returns the field value that says what a 206 holds. */
  String contentRange(long sizeBytes) {
    return "bytes " + startBytes + "-" + (endBytes - 1) + "/" + sizeBytes;
  }

  /** Returns the same range, further along. */
  ByteRange shifted(long bytes) {
    return new ByteRange(startBytes + bytes, endBytes + bytes);
  }
}
