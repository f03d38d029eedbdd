package io.loopgate.http;

import io.loopgate.block.Errno;
import java.util.List;
import java.util.stream.Stream;

/**
 * The errors of the wire contract: code, status and title; the code is what clients and metrics
 * tell apart.
 */
enum ProblemCode {
  BAD_REQUEST("bad-request", 400, "Bad request"),
  BAD_RANGE("bad-range", 400, "Bad range"),
  LENGTH_MISMATCH("length-mismatch", 400, "Body and range differ in length"),
  TOO_MANY_RANGES("too-many-ranges", 400, "Too many ranges"),
  MISALIGNED("misaligned", 400, "Not aligned"),
  DIGEST_MISMATCH("digest-mismatch", 400, "Body and digest differ"),
  FORBIDDEN("forbidden", 403, "Forbidden"),
  READ_ONLY("read-only", 403, "Read-only volume"),
  NO_SUCH_VOLUME("no-such-volume", 404, "No such volume"),
  NO_SUCH_RESOURCE("no-such-resource", 404, "No such resource"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "Method not allowed"),
  REQUEST_TIMEOUT("request-timeout", 408, "The body did not arrive"),
  IN_USE("in-use", 409, "Volume in use"),
  EXISTS("exists", 409, "Already exists"),
  IDEMPOTENCY_CONFLICT("idempotency-conflict", 409, "Key used for another request"),
  PRECONDITION_FAILED("precondition-failed", 412, "Precondition failed"),
  TOO_LARGE("too-large", 413, "Too large"),
  URI_TOO_LONG("uri-too-long", 414, "Request line too long"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "Unsupported media type"),
  RANGE_NOT_SATISFIABLE("range-not-satisfiable", 416, "Range not satisfiable"),
  EXPECTATION_FAILED("expectation-failed", 417, "Expectation failed"),
  QUOTA("quota", 429, "Quota used up"),
  HEADERS_TOO_LARGE("headers-too-large", 431, "Headers too large"),
  IO_ERROR("io-error", 500, "Input/output error"),
  POISONED("poisoned", 500, "Poisoned by a failed flush"),
  BACKING_TRUNCATED("backing-truncated", 500, "Backing truncated"),
  INTERNAL("internal", 500, "Internal error"),
  NOT_IMPLEMENTED("not-implemented", 501, "Not implemented"),
  OVERLOADED("overloaded", 503, "Overloaded"),
  DRAINING("draining", 503, "Draining"),
  DEADLINE_EXCEEDED("deadline-exceeded", 504, "Deadline exceeded"),
  NO_SPACE("no-space", 507, "No space");

  private final String code;
  private final int status;
  private final String title;

  ProblemCode(String code, int status, String title) {
    this.code = code;
    this.status = status;
    this.title = title;
  }

  /** Returns what the result of a command, a negative number, is called. */
  static ProblemCode ofResult(long result) {
    if (Errno.isNoSpace(result)) {
      return NO_SPACE;
    }
    return switch ((int) -result) {
      case Errno.TRUNCATED -> BACKING_TRUNCATED;
      case Errno.POISONED -> POISONED;
      case Errno.READ_ONLY, Errno.EROFS -> READ_ONLY;
      case Errno.DEADLINE -> DEADLINE_EXCEEDED;
      case Errno.OVERLOADED -> OVERLOADED;
      case Errno.CLOSED -> DRAINING;
      default -> IO_ERROR;
    };
  }

  String code() {
    return code;
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  /** Returns all codes, for counters that exist before the first error. */
  static List<String> codes() {
    return Stream.of(values()).map(ProblemCode::code).toList();
  }
}
