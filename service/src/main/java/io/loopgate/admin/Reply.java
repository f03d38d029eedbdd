package io.loopgate.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Writes the answers of the admin port, each with the headers that keep browsers careful. */
final class Reply {
  static final String HTML = "text/html; charset=utf-8";
  static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";
  private static final String CONTENT_SECURITY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private Reply() {}

  /** Answers with a document; to HEAD with its headers alone. */
  static void document(HttpServerRequest request, int status, String contentType, Buffer body) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", contentType)
        .putHeader("Content-Length", Integer.toString(body.length()))
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Content-Security-Policy", CONTENT_SECURITY);
    // A client that went away is nothing to tell anybody about.
    var _ = request.method().equals(HttpMethod.HEAD) ? response.end() : response.end(body);
  }

  static void json(HttpServerRequest request, int status, JsonObject json) {
    document(request, status, JSON, json.toBuffer());
  }

  /** Answers 200, or 503 with the reason. */
  static void probe(HttpServerRequest request, String probe, Optional<String> whyNot) {
    JsonObject json =
        new JsonObject().put("probe", probe).put("status", whyNot.isEmpty() ? "up" : "down");
    whyNot.ifPresent(reason -> json.put("reason", reason));
    json(request, whyNot.isEmpty() ? 200 : 503, json);
  }

  /** Answers with an error as RFC 9457 has it. */
  static void problem(
      HttpServerRequest request, int status, String title, String code, String detail) {
    JsonObject json =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", title)
            .put("status", status)
            .put("detail", detail)
            .put("code", code);
    document(request, status, PROBLEM, json.toBuffer());
  }
}
