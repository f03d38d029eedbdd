package io.loopgate.http;

/** What there is to say about bodies that are held until they are checked. */
final class HeldBody {
  private HeldBody() {}

  static Problem tooLarge(int limitBytes) {
    return Problem.of(
            ProblemCode.TOO_LARGE,
            "a body whose length or digest is known only at its end is held until then, up to "
                + limitBytes
                + " bytes; send a Content-Length and no Content-Digest, or smaller pieces; nothing was written")
        .with("limit", limitBytes);
  }
}
