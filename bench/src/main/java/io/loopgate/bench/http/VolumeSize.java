package io.loopgate.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Asks a server how much it has. Blocks. */
public final class VolumeSize {
  private static final int TIMEOUT_MILLIS = 10_000;

  private VolumeSize() {}

  /**
   * Returns the size.
   *
   * @throws UncheckedIOException if the server does not tell
   */
  public static long of(Endpoint endpoint) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(endpoint.url()).toURL().openConnection();
      connection.setRequestMethod("HEAD");
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        int status = connection.getResponseCode();
        long size = connection.getContentLengthLong();
        if (status != HttpURLConnection.HTTP_OK || size < 0) {
          throw new IOException("status " + status + ", size " + size);
        }
        return size;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot ask " + endpoint.url() + " how large it is: " + e.getMessage(), e);
    }
  }
}
