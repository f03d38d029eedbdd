package io.loopgate.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.block.Errno;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An error answer: what happened, to which bytes, and what to do (RFC 9457).
 *
 * @param code which error
 * @param detail a sentence for the person who reads it
 * @param members the numbers that matter, by name
 * @param headers header fields that belong to it
 */
record Problem(
    ProblemCode code, String detail, Map<String, Object> members, Map<String, String> headers) {
  private static final String TYPE_PREFIX = "urn:loopgate:problem:";

  static Problem of(ProblemCode code, String detail) {
    return new Problem(code, detail, Map.of(), Map.of());
  }

  /** Returns the same with one more number or text. */
  Problem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(code, detail, more, headers);
  }

  /** Returns the same with one more header field. */
  Problem withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(code, detail, members, more);
  }

  /**
   * The range, of the read or write kind, lies outside; tells the size where clients look for it.
   */
  static Problem unsatisfiable(String detail, long sizeBytes) {
    return of(ProblemCode.RANGE_NOT_SATISFIABLE, detail)
        .with("sizeBytes", sizeBytes)
        .withHeader("Content-Range", "bytes */" + sizeBytes);
  }

  static Problem retryLater(ProblemCode code, String detail, long seconds) {
    return of(code, detail).withHeader("Retry-After", Long.toString(seconds));
  }

  /** Puts the result of a command, a negative number, into words. */
  static Problem ofResult(long result, long offsetBytes, String volume) {
    int errno = (int) -result;
    ProblemCode code = ProblemCode.ofResult(result);
    return switch (code) {
      case NO_SPACE ->
          of(
                  code,
                  "the file system under volume "
                      + volume
                      + " has no room for this write ("
                      + Errno.name(errno)
                      + "); free space and send it again, reads go on")
              .with("offset", offsetBytes)
              .with("errno", Errno.name(errno));
      case BACKING_TRUNCATED ->
          of(
                  code,
                  "the backing of volume "
                      + volume
                      + " ends before offset "
                      + offsetBytes
                      + ": it was shrunk beneath the volume; restore its size and restart")
              .with("offset", offsetBytes);
      case POISONED ->
          of(
              code,
              "a flush of volume "
                  + volume
                  + " failed, so writes since the last good flush may be lost;"
                  + " reads go on, writes are refused until the volume is opened anew");
      case READ_ONLY -> of(code, "volume " + volume + " is read-only; nothing was written");
      case DEADLINE_EXCEEDED ->
          of(code, "the work was still queued when the Block-Timeout ran out; it was dropped");
      case OVERLOADED ->
          retryLater(
              code,
              "as much work is in flight as volume "
                  + volume
                  + " or its event loop takes; come back shortly",
              1);
      case DRAINING ->
          retryLater(code, "volume " + volume + " is closing; ask another instance", 5);
      default ->
          of(
                  code,
                  Errno.name(errno)
                      + " at offset "
                      + offsetBytes
                      + " of volume "
                      + volume
                      + "; see the kernel's log for the device")
              .with("offset", offsetBytes)
              .with("errno", Errno.name(errno));
    };
  }

  /** Returns the document of RFC 9457. */
  byte[] toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("type", TYPE_PREFIX + code.code());
    node.put("title", code.title());
    node.put("status", code.status());
    node.put("detail", detail);
    node.put("code", code.code());
    members.forEach((name, value) -> node.putPOJO(name, value));
    return Json.write(node);
  }
}
