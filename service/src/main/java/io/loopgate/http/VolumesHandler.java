package io.loopgate.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;
import io.loopgate.volume.VolumeCreation;
import io.loopgate.volume.VolumeRegistry;
import io.loopgate.volume.VolumeUpdate;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The control plane: list, create, read, change and delete volumes; the work is done on control
 * threads. Stateless.
 */
final class VolumesHandler {
  private static final Set<String> LIST_QUERY = Set.of("limit", "cursor");
  private static final int LIMIT_MAX = 1000;
  private static final int LIMIT_DEFAULT = 100;
  private static final int KEY_LENGTH_MAX = 255;

  private VolumesHandler() {}

  /** {@code /v1/volumes}. */
  static void collection(Exchange exchange) {
    exchange.kind(RequestKind.CONTROL);
    if (HttpMethod.POST.equals(exchange.method())) {
      SmallBody.collect(exchange, body -> create(exchange, body));
    } else {
      list(exchange, Query.relaxed(exchange.request().query(), LIST_QUERY));
    }
  }

  /** {@code /v1/volumes/{id}}. */
  static void document(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.CONTROL);
    HttpMethod method = exchange.method();
    if (HttpMethod.PATCH.equals(method)) {
      SmallBody.collect(exchange, body -> update(exchange, volume, body));
    } else if (HttpMethod.DELETE.equals(method)) {
      Query.strict(exchange.request().query(), Set.of());
      delete(exchange, volume);
    } else {
      BackgroundWork.run(
          exchange,
          () -> VolumeDocuments.volume(volume),
          node -> send(exchange, 200, volume, node));
    }
  }

  private static void send(Exchange exchange, int status, Volume volume, ObjectNode document) {
    exchange.response().putHeader(Fields.ETAG, VolumeDocuments.tag(volume));
    exchange.json(status, Json.write(document));
  }

  private static void list(Exchange exchange, Query query) {
    long limit = query.number("limit", LIMIT_DEFAULT, ProblemCode.BAD_REQUEST);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new ProblemException(
          Problem.of(ProblemCode.BAD_REQUEST, "limit has to be 1 to " + LIMIT_MAX)
              .with("limit", LIMIT_MAX));
    }
    String after = query.text("cursor").map(VolumesHandler::decodeCursor).orElse("");
    VolumeRegistry registry = exchange.loop().plane().volumes();
    BackgroundWork.run(
        exchange,
        () -> {
          List<Volume> rest =
              registry.list().stream().filter(volume -> volume.id().compareTo(after) > 0).toList();
          List<Volume> page = rest.subList(0, (int) Math.min(limit, rest.size()));
          ObjectNode document = JsonNodeFactory.instance.objectNode();
          ArrayNode volumes = document.putArray("volumes");
          page.forEach(volume -> volumes.add(VolumeDocuments.volume(volume)));
          if (page.size() < rest.size()) {
            document.put("next", encodeCursor(page.getLast().id()));
          } else {
            document.putNull("next");
          }
          return document;
        },
        document -> exchange.json(200, Json.write(document)));
  }

  private static String encodeCursor(String id) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(("after:" + id).getBytes(StandardCharsets.US_ASCII));
  }

  private static String decodeCursor(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (text.startsWith("after:")) {
        return text.substring("after:".length());
      }
    } catch (IllegalArgumentException e) {
      // Falls through: what is no base64 is no cursor of ours.
    }
    throw ProblemException.badRequest("this cursor is not of this list; begin again without one");
  }

  private static void create(Exchange exchange, byte[] body) {
    String key = exchange.header("Idempotency-Key");
    if (key != null && (key.isBlank() || key.length() > KEY_LENGTH_MAX)) {
      throw ProblemException.badRequest(
          "Idempotency-Key has to be 1 to " + KEY_LENGTH_MAX + " characters");
    }
    VolumeCreation creation = VolumeRequests.creation(body, key == null ? "" : key);
    VolumeRegistry registry = exchange.loop().plane().volumes();
    BackgroundWork.run(
        exchange,
        () -> {
          Volume volume = registry.create(creation).volume();
          return new Made(volume, VolumeDocuments.volume(volume));
        },
        made -> {
          exchange.response().putHeader(Fields.LOCATION, "/v1/volumes/" + made.volume().id());
          send(exchange, 201, made.volume(), made.document());
        });
  }

  private record Made(Volume volume, ObjectNode document) {}

  private static void update(Exchange exchange, Volume volume, byte[] body) {
    VolumeUpdate update = VolumeRequests.update(body, volume.settings());
    VolumeRegistry registry = exchange.loop().plane().volumes();
    Predicate<Volume> condition = condition(exchange.list(Fields.IF_MATCH));
    BackgroundWork.run(
        exchange,
        () -> VolumeDocuments.volume(registry.update(volume.id(), update, condition)),
        document -> send(exchange, 200, volume, document));
  }

  private static void delete(Exchange exchange, Volume volume) {
    VolumeRegistry registry = exchange.loop().plane().volumes();
    Predicate<Volume> condition = condition(exchange.list(Fields.IF_MATCH));
    BackgroundWork.run(
        exchange,
        () -> {
          registry.delete(volume.id(), condition);
          return volume;
        },
        deleted -> exchange.empty(204));
  }

  private static Predicate<Volume> condition(@Nullable String ifMatch) {
    return volume ->
        ifMatch == null || EntityTags.matchesStrongly(ifMatch, VolumeDocuments.tag(volume));
  }
}
