package io.loopgate.http;

/**
 * A request is refused while it is checked; carries the answer. Has no stack trace: it is not a
 * bug, and clients make as many as they like.
 */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  static ProblemException badRequest(String detail) {
    return new ProblemException(Problem.of(ProblemCode.BAD_REQUEST, detail));
  }

  static ProblemException badRange(String detail) {
    return new ProblemException(Problem.of(ProblemCode.BAD_RANGE, detail));
  }

  Problem problem() {
    return problem;
  }
}
