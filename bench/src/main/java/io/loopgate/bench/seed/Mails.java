package io.loopgate.bench.seed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the figures of the mails from the resource of this package. */
final class Mails {
  private Mails() {}

  /** Returns the mails by id. */
  static Map<String, Mail> load() {
    try (InputStream stream = Mails.class.getResourceAsStream("figures.json")) {
      if (stream == null) {
        throw new IllegalStateException("figures.json is missing from the build");
      }
      Map<String, Mail> mails = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> entry : new ObjectMapper().readTree(stream).properties()) {
        mails.put(entry.getKey(), mail(entry.getKey(), entry.getValue()));
      }
      return mails;
    } catch (IOException e) {
      throw new UncheckedIOException("figures.json cannot be read", e);
    }
  }

  private static Mail mail(String id, JsonNode node) {
    Map<String, Double> figures = new HashMap<>();
    for (Map.Entry<String, JsonNode> figure : node.path("figures").properties()) {
      figures.put(figure.getKey(), figure.getValue().asDouble());
    }
    return new Mail(
        id,
        node.path("subject").asText(),
        node.path("date").asText(),
        node.path("hardware").asText(),
        node.path("unit").asText(),
        figures);
  }
}
