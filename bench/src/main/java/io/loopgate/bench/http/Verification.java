package io.loopgate.bench.http;

import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Whether a server has the bytes it acknowledged. Before a load all blocks are written, so that
 * each read can be judged; after it, all are read once more. For one control thread.
 */
public final class Verification implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int STATUS_OK = 200;
  private static final int STATUS_PARTIAL = 206;

  private final Endpoint endpoint;
  private final BlockModel model;
  private final Stop stop;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /** Creates one of the first bytes of a volume, block by block. */
  public Verification(Endpoint endpoint, int blockBytes, long sizeBytes, Stop stop) {
    this.endpoint = endpoint;
    this.model = new BlockModel(blockBytes, sizeBytes);
    this.stop = stop;
  }

  BlockModel model() {
    return model;
  }

  /**
   * Writes all blocks.
   *
   * @throws IOException if the server does not take them
   */
  public void fill() throws IOException {
    byte[] piece = new byte[pieceBytes()];
    for (long offset = 0; offset < model.sizeBytes(); offset += piece.length) {
      stop.check();
      int length = (int) Math.min(piece.length, model.sizeBytes() - offset);
      for (int at = 0; at < length; at += model.blockBytes()) {
        model.fill(piece, at, offset + at, 0);
      }
      HttpRequest request =
          request(endpoint.writeTarget(false))
              .header("Content-Range", range(offset, length) + "/*")
              .PUT(BodyPublishers.ofByteArray(piece, 0, length))
              .build();
      require(STATUS_OK, request, send(request));
    }
  }

  /**
   * Reads all blocks, while no write is under way.
   *
   * @return how many blocks are not what was acknowledged
   * @throws IOException if the server does not answer
   */
  public long check() throws IOException {
    long wrong = 0;
    int pieceBytes = pieceBytes();
    for (long offset = 0; offset < model.sizeBytes(); offset += pieceBytes) {
      stop.check();
      int length = (int) Math.min(pieceBytes, model.sizeBytes() - offset);
      HttpRequest request =
          request(endpoint.path())
              .header("Range", range(offset, length).replace("bytes ", "bytes="))
              .build();
      byte[] piece = require(STATUS_PARTIAL, request, send(request));
      if (piece.length != length) {
        throw new IOException(request + ": a body of " + piece.length + " bytes");
      }
      for (int at = 0; at < length; at += model.blockBytes()) {
        if (model.mismatch(piece, at, offset + at, model.floor(offset + at)) >= 0) {
          wrong++;
        }
      }
    }
    return wrong;
  }

  private int pieceBytes() {
    return Math.max(1, PIECE_BYTES / model.blockBytes()) * model.blockBytes();
  }

  private static String range(long offset, int length) {
    return "bytes " + offset + "-" + (offset + length - 1);
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://" + endpoint.authority() + target))
        .timeout(TIMEOUT);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static byte[] require(int status, HttpRequest request, HttpResponse<byte[]> answer)
      throws IOException {
    if (answer.statusCode() != status) {
      throw new IOException(request + ": status " + answer.statusCode() + ", not " + status);
    }
    return answer.body();
  }

  @Override
  public void close() {
    client.close();
  }
}
