package io.loopgate.http;

import java.util.Optional;

/** What a path names. */
sealed interface Target {
  /** Returns the methods it takes, as the Allow field lists them. */
  String allow();

  /** {@code /v1}. */
  record Index() implements Target {
    @Override
    public String allow() {
      return "GET, HEAD";
    }
  }

  /** {@code /openapi.yaml}. */
  record OpenApi() implements Target {
    @Override
    public String allow() {
      return "GET, HEAD";
    }
  }

  /** {@code /v1/volumes}. */
  record Volumes() implements Target {
    @Override
    public String allow() {
      return "GET, HEAD, POST";
    }
  }

  /** {@code /v1/volumes/{id}}. */
  record Document(String id) implements Target {
    @Override
    public String allow() {
      return "GET, HEAD, PATCH, DELETE";
    }
  }

  /** {@code /v1/volumes/{id}/data}. */
  record Data(String id) implements Target {
    static final String ALLOW = "OPTIONS, HEAD, GET, PUT, PATCH";

    @Override
    public String allow() {
      return ALLOW;
    }
  }

  /** {@code /v1/volumes/{id}/blocks/{lba}}. */
  record Blocks(String id, String lba) implements Target {
    @Override
    public String allow() {
      return "HEAD, GET, PUT, DELETE";
    }
  }

  /** {@code /v1/volumes/{id}/extents}. */
  record Extents(String id) implements Target {
    @Override
    public String allow() {
      return "GET, HEAD";
    }
  }

  /** {@code /v1/volumes/{id}/checksum}. */
  record Checksum(String id) implements Target {
    @Override
    public String allow() {
      return "GET, HEAD";
    }
  }

  /** {@code /v1/volumes/{id}/flush}. */
  record Flush(String id) implements Target {
    @Override
    public String allow() {
      return "POST";
    }
  }

  /** {@code /v1/volumes/{id}/queue}. */
  record Queue(String id) implements Target {
    @Override
    public String allow() {
      return "POST";
    }
  }

  /** {@code /v1/objects/{id}_{offset}_{length}}. */
  record ObjectWindow(String id, long offsetBytes, long lengthBytes) implements Target {
    @Override
    public String allow() {
      return "HEAD, GET, PUT, DELETE";
    }
  }

  /** Tells whether a method is among those it takes. */
  default boolean takes(String method) {
    String all = allow();
    int at = all.indexOf(method);
    while (at >= 0) {
      int end = at + method.length();
      boolean starts = at == 0 || all.charAt(at - 1) == ' ';
      if (starts && (end == all.length() || all.charAt(end) == ',')) {
        return true;
      }
      at = all.indexOf(method, end);
    }
    return false;
  }

  /**
   * Reads a path as it stands in the request line: nothing is decoded, so nothing can hide in it.
   */
  static Optional<Target> of(String path) {
    String volumes = "/v1/volumes/";
    if (path.startsWith(volumes)) {
      return ofVolume(path, volumes.length());
    }
    String objects = "/v1/objects/";
    if (path.startsWith(objects)) {
      return ofObject(path.substring(objects.length()));
    }
    return switch (path) {
      case "/v1", "/v1/" -> Optional.of(new Index());
      case "/v1/volumes" -> Optional.of(new Volumes());
      case "/openapi.yaml" -> Optional.of(new OpenApi());
      default -> Optional.empty();
    };
  }

  private static Optional<Target> ofVolume(String path, int idStart) {
    int slash = path.indexOf('/', idStart);
    if (slash < 0) {
      return idStart == path.length()
          ? Optional.of(new Volumes())
          : Optional.of(new Document(path.substring(idStart)));
    }
    String id = path.substring(idStart, slash);
    String rest = path.substring(slash + 1);
    return switch (rest) {
      case "data" -> Optional.of(new Data(id));
      case "extents" -> Optional.of(new Extents(id));
      case "checksum" -> Optional.of(new Checksum(id));
      case "flush" -> Optional.of(new Flush(id));
      case "queue" -> Optional.of(new Queue(id));
      case "" -> Optional.of(new Document(id));
      default -> ofBlocks(id, rest);
    };
  }

  private static Optional<Target> ofBlocks(String id, String rest) {
    String blocks = "blocks/";
    if (!rest.startsWith(blocks) || rest.length() == blocks.length()) {
      return Optional.empty();
    }
    String lba = rest.substring(blocks.length());
    return lba.indexOf('/') < 0 ? Optional.of(new Blocks(id, lba)) : Optional.empty();
  }

  private static Optional<Target> ofObject(String name) {
    int second = name.lastIndexOf('_');
    int first = second < 0 ? -1 : name.lastIndexOf('_', second - 1);
    if (first <= 0) {
      return Optional.empty();
    }
    long offset = Numbers.parse(name, first + 1, second);
    long length = Numbers.parse(name, second + 1, name.length());
    return offset == Numbers.NONE || length == Numbers.NONE
        ? Optional.empty()
        : Optional.of(new ObjectWindow(name.substring(0, first), offset, length));
  }
}
