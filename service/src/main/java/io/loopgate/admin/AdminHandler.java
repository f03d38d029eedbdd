package io.loopgate.admin;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches the requests of the admin port; runs on its event loop and never blocks it. */
final class AdminHandler implements Handler<HttpServerRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);

  /** Requests that may wait for a document: two Prometheus servers and a few people. */
  static final int MAX_WAITING = 8;

  private static final String METHODS = "GET, HEAD";

  private final AdminInputs inputs;
  private final AdminMetrics metrics;
  private final VolumeSampler sampler;
  private final Health health;
  private final BuildGate<Exposition> scrapes;
  private final BuildGate<String> pages;

  AdminHandler(
      AdminInputs inputs, AdminMetrics metrics, VolumeSampler sampler, WorkerExecutor worker) {
    this.inputs = inputs;
    this.metrics = metrics;
    this.sampler = sampler;
    this.health = new Health(inputs.source(), inputs.loops());
    this.scrapes = new BuildGate<>(worker, MAX_WAITING);
    this.pages = new BuildGate<>(worker, MAX_WAITING);
  }

  @Override
  public void handle(HttpServerRequest request) {
    String path = request.path() == null ? "" : request.path();
    switch (path) {
      case "/", "/metrics", "/version", "/health/live", "/health/ready", "/health/startup" -> {
        if (isRead(request)) {
          read(path, request);
        } else {
          methodNotAllowed(request);
        }
      }
      default ->
          Reply.problem(
              request,
              404,
              "Not Found",
              "no-such-resource",
              "There are /, /metrics, /version, /health/live, /health/ready, /health/startup.");
    }
  }

  private static boolean isRead(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private void read(String path, HttpServerRequest request) {
    switch (path) {
      case "/metrics" -> scrape(request);
      case "/version" -> version(request);
      case "/health/live" -> Reply.probe(request, "live", health.whyNotLive());
      case "/health/ready" -> Reply.probe(request, "ready", health.whyNotReady());
      case "/health/startup" -> Reply.probe(request, "startup", health.whyNotStarted());
      default -> page(request);
    }
  }

  private static void methodNotAllowed(HttpServerRequest request) {
    request.response().putHeader("Allow", METHODS);
    Reply.problem(
        request,
        405,
        "Method Not Allowed",
        "method-not-allowed",
        "This port only tells: use " + METHODS + ".");
  }

  private void version(HttpServerRequest request) {
    BuildInfo build = inputs.build();
    Reply.json(
        request,
        200,
        new JsonObject()
            .put("name", BuildInfo.NAME)
            .put("version", build.version())
            .put("revision", build.revision())
            .put("java", build.java())
            .put("vertx", build.vertx())
            .put("netty", build.netty()));
  }

  private void scrape(HttpServerRequest request) {
    Exposition format = Exposition.negotiate(accept(request));
    send(request, format.contentType(), scrapes.submit(format, () -> metrics.scrape(format)));
  }

  private void page(HttpServerRequest request) {
    AcceptHeader accept = accept(request);
    boolean json = accept.named(Reply.JSON, "") > accept.named("text/html", "");
    String contentType = json ? Reply.JSON : Reply.HTML;
    send(request, contentType, pages.submit(contentType, () -> render(json)));
  }

  private Buffer render(boolean json) {
    VolumeSampler.Sample sample = sampler.sample();
    Lifecycle lifecycle = inputs.source().lifecycle();
    return json
        ? StatusPage.json(inputs.build(), lifecycle, sample)
        : StatusPage.html(inputs.build(), lifecycle, sample);
  }

  private static AcceptHeader accept(HttpServerRequest request) {
    return AcceptHeader.parse(request.headers().getAll("Accept"));
  }

  private static void send(
      HttpServerRequest request, String contentType, Optional<Future<Buffer>> document) {
    if (document.isEmpty()) {
      request.response().putHeader("Retry-After", "1");
      Reply.problem(
          request,
          503,
          "Service Unavailable",
          "overloaded",
          "Too many requests wait for this document: ask again later.");
      return;
    }
    request.response().putHeader("Vary", "Accept");
    document
        .get()
        .onSuccess(body -> Reply.document(request, 200, contentType, body))
        .onFailure(cause -> failed(request, cause));
  }

  private static void failed(HttpServerRequest request, Throwable cause) {
    LOG.error("cannot build the answer to {}", request.path(), cause);
    Reply.problem(
        request,
        500,
        "Internal Server Error",
        "internal",
        "The answer could not be built; the log of this process tells why.");
  }
}
