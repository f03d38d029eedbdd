package io.loopgate.app;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The client of a {@link WarmUp}: small reads and writes over several connections, and now and then
 * one of each other kind. For one thread, which may block.
 */
final class WarmUpClient implements AutoCloseable {
  private static final int CONNECTIONS = 8;
  private static final int BLOCK_BYTES = 4096;
  private static final int LARGE_BYTES = 1 << 20;

  /** So many rounds of small requests come before one of the other kinds. */
  private static final int ROUNDS_BETWEEN = 32;

  private static final int QUEUE_COMMANDS = 16;
  private static final int QUEUE_FRAME_BYTES = 32;
  private static final int QUEUE_MAGIC = 0x4C475251;
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String LENGTH = "\r\ncontent-length: ";

  private final List<SocketChannel> connections = new ArrayList<>();
  private final List<String> ids;
  private final long volumeBytes;
  private final Random random = new Random(1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(2 * LARGE_BYTES);
  private int done;

  WarmUpClient(int port, List<String> ids, long volumeBytes) throws IOException {
    this.ids = ids;
    this.volumeBytes = volumeBytes;
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(SocketChannel.open(server));
    }
  }

  /** Sends requests until there were enough or the time is over; returns how many. */
  int load(long deadlineNanos, int requests) throws IOException {
    for (int round = 0;
        done < requests && !ids.isEmpty() && System.nanoTime() - deadlineNanos < 0;
        round++) {
      String data = "/v1/volumes/" + ids.get(round % ids.size());
      small(data, round);
      if (round % ROUNDS_BETWEEN == 0) {
        others(data);
      }
    }
    return done;
  }

  private void small(String volume, int round) throws IOException {
    for (SocketChannel connection : connections) {
      long at = random.nextLong(volumeBytes / BLOCK_BYTES) * BLOCK_BYTES;
      String range = at + "-" + (at + BLOCK_BYTES - 1);
      if (random.nextInt(3) > 0) {
        send(connection, "GET " + volume + "/data", "Range: bytes=" + range, 0);
      } else {
        String flush = round % ROUNDS_BETWEEN == 0 ? "y" : "n";
        String place = "Content-Range: bytes " + range + "/*";
        send(connection, "PUT " + volume + "/data?flush=" + flush, place, BLOCK_BYTES);
      }
    }
    for (SocketChannel connection : connections) {
      receive(connection, true);
    }
  }

  private void others(String volume) throws IOException {
    SocketChannel connection = connections.getFirst();
    String large = "0-" + (LARGE_BYTES - 1);
    call(connection, "GET " + volume + "/data", "Range: bytes=" + large, 0);
    call(connection, "GET " + volume + "/data", "Range: bytes=0-4095\r\nX-Request-Id: a", 0);
    call(connection, "GET " + volume + "/extents", "Accept: */*", 0);
    call(
        connection, "PUT " + volume + "/data", "Content-Range: bytes " + large + "/*", LARGE_BYTES);
    send(connection, "HEAD " + volume + "/data", "Accept: */*", 0);
    receive(connection, false);
    queue(connection, volume);
  }

  private void call(SocketChannel connection, String line, String field, int bodyBytes)
      throws IOException {
    send(connection, line, field, bodyBytes);
    receive(connection, true);
  }

  private void send(SocketChannel connection, String line, String field, int bodyBytes)
      throws IOException {
    String length = bodyBytes > 0 ? "\r\nContent-Length: " + bodyBytes : "";
    byte[] head =
        (line + " HTTP/1.1\r\nHost: warm-up\r\n" + field + length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out = ByteBuffer.allocate(head.length + bodyBytes);
    out.put(head);
    writeAll(connection, out.rewind());
  }

  private static void writeAll(SocketChannel connection, ByteBuffer out) throws IOException {
    while (out.hasRemaining()) {
      connection.write(out);
    }
  }

  /** Sends a batch of reads and writes; each answer says how long it is. */
  private void queue(SocketChannel connection, String volume) throws IOException {
    int bodyBytes = QUEUE_COMMANDS * QUEUE_FRAME_BYTES + QUEUE_COMMANDS / 2 * BLOCK_BYTES;
    ByteBuffer body = ByteBuffer.allocate(bodyBytes);
    for (int i = 0; i < QUEUE_COMMANDS; i++) {
      int op = i % 2;
      body.putInt(QUEUE_MAGIC).put((byte) op).put((byte) 0).putShort((short) 0).putLong(i);
      body.putLong((long) i * BLOCK_BYTES).putInt(BLOCK_BYTES).putInt(0);
      body.position(body.position() + op * BLOCK_BYTES);
    }
    String head =
        "POST "
            + volume
            + "/queue HTTP/1.1\r\nHost: warm-up\r\nContent-Type: application/vnd.loopgate.queue"
            + "\r\nContent-Length: "
            + bodyBytes
            + "\r\n\r\n";
    writeAll(connection, ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
    writeAll(connection, body.flip());
    receive(connection, true);
  }

  /** Receives one answer: a length or chunks tell where it ends. */
  private void receive(SocketChannel connection, boolean hasBody) throws IOException {
    in.clear();
    int headBytes;
    do {
      read(connection);
      headBytes = headBytes();
    } while (headBytes < 0);
    String head = text(0, headBytes).toLowerCase(java.util.Locale.ROOT);
    int at = head.indexOf(LENGTH);
    if (at >= 0 && hasBody) {
      int from = at + LENGTH.length();
      int bodyBytes = Integer.parseInt(head.substring(from, head.indexOf('\r', from)));
      while (in.position() < headBytes + bodyBytes) {
        read(connection);
      }
    } else if (hasBody && head.contains("\r\ntransfer-encoding: chunked")) {
      while (!text(Math.max(headBytes, in.position() - 7), in.position())
          .endsWith("\r\n0\r\n\r\n")) {
        read(connection);
      }
    }
    done++;
  }

  private void read(SocketChannel connection) throws IOException {
    if (connection.read(in) < 0) {
      throw new EOFException("the warm-up's server closed a connection");
    }
  }

  private int headBytes() {
    for (int i = 0; i + HEAD_END.length <= in.position(); i++) {
      int match = 0;
      while (match < HEAD_END.length && in.get(i + match) == HEAD_END[match]) {
        match++;
      }
      if (match == HEAD_END.length) {
        return i + HEAD_END.length;
      }
    }
    return -1;
  }

  private String text(int from, int to) {
    byte[] bytes = new byte[to - from];
    in.get(from, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
