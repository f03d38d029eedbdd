package io.loopgate.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the API, as it was packed into the product. */
final class OpenApiDocument {
  private static final byte[] BYTES = read();

  private OpenApiDocument() {}

  static byte[] bytes() {
    return BYTES;
  }

  private static byte[] read() {
    try (InputStream in = OpenApiDocument.class.getResourceAsStream("/openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("openapi.yaml is missing from the product");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
