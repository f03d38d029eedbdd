package io.loopgate.http;

import java.util.List;

/** A piece of an answer's body: text that frames it, or bytes of the volume. */
sealed interface BodyPart {
  /** Framing of a multipart answer. */
  @SuppressWarnings("ArrayRecordComponent")
  record Text(byte[] bytes) implements BodyPart {}

  /** Bytes of the volume. */
  record Bytes(ByteRange range) implements BodyPart {}

  /** Returns how long the parts are together. */
  static long lengthBytes(List<BodyPart> parts) {
    long length = 0;
    for (BodyPart part : parts) {
      length +=
          switch (part) {
            case Text(byte[] bytes) -> bytes.length;
            case Bytes(ByteRange range) -> range.lengthBytes();
          };
    }
    return length;
  }
}
