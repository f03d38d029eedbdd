package io.loopgate.it;

import java.io.IOException;

/** The peer closed the connection before the first byte of an answer. */
final class ClosedBeforeAnswerException extends IOException {
  private static final long serialVersionUID = 1;

  ClosedBeforeAnswerException(Throwable cause) {
    super("closed before the first byte of an answer", cause);
  }
}
