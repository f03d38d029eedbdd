package io.loopgate.bench.http;

import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Wire;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server has the bytes.
 *
 * @param host a name or an address
 * @param port of TCP
 * @param path of the bytes, without a query
 * @param queuePath of the queue of the same volume, if the server is loopgate
 */
public record Endpoint(String host, int port, String path, Optional<String> queuePath) {
  private static final int PORT_DEFAULT = 80;
  private static final Pattern VOLUME = Pattern.compile("(/v1/volumes/[a-z0-9-]+)(/data)?/?");

  /**
   * Reads a URL: of a volume, of its data, or of a file that a server has.
   *
   * @throws IllegalArgumentException if it is none, or not of http
   */
  public static Endpoint parse(String url) {
    URI uri = URI.create(url);
    if (!"http".equals(uri.getScheme()) || uri.getHost() == null || uri.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "the URL has to be as http://HOST:PORT/v1/volumes/ID/data, not \"" + url + "\"");
    }
    int port = uri.getPort() < 0 ? PORT_DEFAULT : uri.getPort();
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    Matcher volume = VOLUME.matcher(path);
    return volume.matches()
        ? new Endpoint(
            uri.getHost(), port, volume.group(1) + "/data", Optional.of(volume.group(1) + "/queue"))
        : new Endpoint(uri.getHost(), port, path, Optional.empty());
  }

  /** Returns the URL of the bytes. */
  public String url() {
    return "http://" + authority() + path;
  }

  String authority() {
    return host + ":" + port;
  }

  /** Returns the path and query of a write: what the volume does by itself does not count. */
  String writeTarget(boolean durable) {
    return path + flush(durable);
  }

  /** Returns the query that says whether changes have to be durable. */
  static String flush(boolean durable) {
    return durable ? "?flush=y" : "?flush=n";
  }

  /**
   * Returns what errors name.
   *
   * @throws IllegalArgumentException if there is no queue, and there has to be one
   */
  String urlOf(Wire wire) {
    return wire.protocol() == Protocol.QUEUE ? "http://" + authority() + requireQueue() : url();
  }

  String requireQueue() {
    return queuePath.orElseThrow(
        () -> new IllegalArgumentException("only a volume of loopgate has a queue, not " + url()));
  }
}
