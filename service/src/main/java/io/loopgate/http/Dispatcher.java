package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/**
 * Takes the requests of one event loop to their handlers, by hand: checks framing, then path, then
 * method, and leaves the rest of the checks, in the order of the contract, to the handler. Confined
 * to its loop.
 */
final class Dispatcher implements Handler<HttpServerRequest> {
  private static final String SUB_RESOURCES = "data, blocks/{lba}, extents, checksum, flush, queue";

  private final LoopState loop;

  Dispatcher(LoopState loop) {
    this.loop = loop;
  }

  @Override
  public void handle(HttpServerRequest request) {
    Exchange exchange = new Exchange(loop, request);
    exchange.guard(() -> route(exchange));
  }

  private void route(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    if (refusesUnframed(exchange)) {
      return;
    }
    if (loop.plane().draining().get()) {
      refuseDraining(exchange);
    }
    String path = request.path();
    Optional<Target> found = path == null ? Optional.empty() : Target.of(path);
    if (found.isEmpty()) {
      throw new ProblemException(noSuchResource(String.valueOf(path)));
    }
    Target target = found.get();
    String method = request.method().name();
    switch (target) {
      case Target.Index index -> {
        allow(target, method);
        exchange.kind(RequestKind.CONTROL);
        exchange.json(200, VolumeDocuments.index(loop.plane().version()));
      }
      case Target.OpenApi openApi -> {
        allow(target, method);
        exchange.response().putHeader(Fields.CONTENT_TYPE, "application/yaml");
        exchange.body(200, OpenApiDocument.bytes());
      }
      case Target.Volumes volumes -> {
        allow(target, method);
        VolumesHandler.collection(exchange);
      }
      case Target.Document(String id) -> {
        Volume volume = require(id);
        allow(target, method);
        VolumesHandler.document(exchange, volume);
      }
      case Target.Data(String id) -> data(exchange, target, require(id), method);
      case Target.Blocks(String id, String lba) -> {
        Volume volume = require(id);
        allow(target, method);
        WindowHandler.blocks(exchange, volume, lba);
      }
      case Target.Extents(String id) -> {
        Volume volume = require(id);
        allow(target, method);
        ExtentsHandler.handle(exchange, volume);
      }
      case Target.Checksum(String id) -> {
        Volume volume = require(id);
        allow(target, method);
        ChecksumHandler.handle(exchange, volume);
      }
      case Target.Flush(String id) -> {
        Volume volume = require(id);
        allow(target, method);
        Query.strict(request.query(), java.util.Set.of());
        ChangeHandler.flush(exchange, volume);
      }
      case Target.Queue(String id) -> {
        Volume volume = require(id);
        allow(target, method);
        QueueHandler.handle(exchange, volume);
      }
      case Target.ObjectWindow(String id, long offset, long length) -> {
        Volume volume = require(id);
        allow(target, method);
        WindowHandler.object(exchange, volume, offset, length);
      }
    }
  }

  private static void data(Exchange exchange, Target target, Volume volume, String method) {
    HttpMethod known = exchange.method();
    if (HttpMethod.GET.equals(known) || HttpMethod.HEAD.equals(known)) {
      ReadHandler.handle(exchange, ReadHandler.Source.whole(volume));
      return;
    }
    allow(target, method);
    if (HttpMethod.PUT.equals(known)) {
      WriteHandler.data(exchange, volume);
    } else if (HttpMethod.PATCH.equals(known)) {
      ChangeHandler.patch(exchange, volume);
    } else {
      OptionsHandler.handle(exchange, volume);
    }
  }

  /**
   * Refuses what the parser let through and still may mean two things (RFC 9112, 3.2 and 6.1);
   * returns whether the request is answered already.
   */
  private static boolean refusesUnframed(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    if (request.version() != HttpVersion.HTTP_1_1) {
      return false;
    }
    if (request.headers().getAll(Fields.HOST).size() != 1) {
      throw ProblemException.badRequest("an HTTP/1.1 request has one Host field");
    }
    String coding = request.headers().get(Fields.TRANSFER_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      exchange.response().putHeader(Fields.CONNECTION, HttpHeaders.CLOSE);
      exchange.problem(
          Problem.of(
              ProblemCode.NOT_IMPLEMENTED, "Transfer-Encoding " + coding + " is not decoded here"));
      // Where its body ends is anyone's guess.
      request.connection().close();
      return true;
    }
    String expect = request.headers().get(Fields.EXPECT);
    if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
      throw new ProblemException(
          Problem.of(ProblemCode.EXPECTATION_FAILED, "there is no expectation \"" + expect + "\""));
    }
    return false;
  }

  private static void refuseDraining(Exchange exchange) {
    if (exchange.isHttp1()) {
      exchange.response().putHeader(Fields.CONNECTION, HttpHeaders.CLOSE);
    }
    throw new ProblemException(
        Problem.retryLater(
            ProblemCode.DRAINING, "this instance is shutting down; ask another one", 5));
  }

  private static void allow(Target target, String method) {
    if (!target.takes(method)) {
      throw new ProblemException(
          Problem.of(
                  ProblemCode.METHOD_NOT_ALLOWED,
                  method + " is not for this resource; it takes " + target.allow())
              .withHeader("Allow", target.allow()));
    }
  }

  private Volume require(String id) {
    Optional<Volume> volume = loop.plane().volumes().find(id);
    if (volume.isEmpty()) {
      throw new ProblemException(
          Problem.of(
              ProblemCode.NO_SUCH_VOLUME,
              "there is no volume \"" + id + "\" here; GET /v1/volumes lists those there are"));
    }
    return volume.get();
  }

  private static Problem noSuchResource(String path) {
    return Problem.of(
            ProblemCode.NO_SUCH_RESOURCE,
            "there is nothing at "
                + path
                + "; there are /v1, /v1/volumes, /v1/volumes/{id}, below it "
                + SUB_RESOURCES
                + ", and /v1/objects/{id}_{offset}_{length}")
        .with("path", path);
  }
}
