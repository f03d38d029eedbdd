package io.loopgate.http;

import io.loopgate.telemetry.HttpTelemetry;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Answers what is no request, and closes: behind it nothing can be told apart any more. */
final class InvalidRequests implements Handler<HttpServerRequest> {
  private final HttpTelemetry telemetry;

  InvalidRequests(HttpTelemetry telemetry) {
    this.telemetry = telemetry;
  }

  @Override
  public void handle(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Problem problem =
        switch (cause) {
          case TooLongHttpLineException tooLong ->
              Problem.of(ProblemCode.URI_TOO_LONG, "the request line is longer than is read here");
          case TooLongHttpHeaderException tooLong ->
              Problem.of(
                  ProblemCode.HEADERS_TOO_LARGE, "the header fields are longer than is read here");
          case null, default ->
              Problem.of(ProblemCode.BAD_REQUEST, "this is no well-formed HTTP request");
        };
    answer(request.response(), problem);
    telemetry.rejected(problem.code().code());
    request.connection().close();
  }

  static void answer(HttpServerResponse response, Problem problem) {
    byte[] body = problem.toJson();
    response
        .setStatusCode(problem.code().status())
        .putHeader(Fields.CONTENT_TYPE, "application/problem+json")
        .putHeader(Fields.CONNECTION, HttpHeaders.CLOSE)
        .end(Buffer.buffer(body));
  }
}
