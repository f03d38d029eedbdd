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
import java.util.Locale;
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

  private static final int BATCH_REQUESTS = 10_000;

  /** Methods are compiled for good after so many calls or so. */
  private static final int REQUESTS_MIN = 60_000;

  /** A batch that takes the compiler no longer than this gave it nothing to do that matters. */
  private static final long QUIET_MILLIS = 40;

  private static final int QUEUE_COMMANDS = 16;
  private static final int QUEUE_FRAME_BYTES = 32;
  private static final int QUEUE_MAGIC = 0x4C475251;
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String LENGTH = "\r\ncontent-length: ";

  /** As clients send them: what the compiler has never seen it leaves out, to come back later. */
  private static final List<String> FIELDS =
      List.of(
          "Host: 127.0.0.1:8080\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n",
          "Host: loopgate-0.storage.svc:8080\r\n",
          "host: [::1]:8080\r\nuser-agent: Go-http-client/1.1\r\naccept-encoding: gzip\r\n",
          "Host: a_b.example\r\nConnection: keep-alive\r\nX-Forwarded-Proto: http\r\n",
          "Host: a\r\nX-Forwarded-For: 10.0.0.1\r\nContent-Type: application/x\r\n");

  /** Blocks for the most part. */
  private static final int[] LENGTHS = {4096, 4096, 4096, 4096, 512, 1000, 16 << 10, 60_000};

  private final InetSocketAddress server;
  private final List<SocketChannel> connections = new ArrayList<>();
  private final List<String> ids;
  private final long volumeBytes;
  private final Random random = new Random(1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(2 * LARGE_BYTES);
  private int done;

  WarmUpClient(int port, List<String> ids, long volumeBytes) throws IOException {
    this.ids = ids;
    this.volumeBytes = volumeBytes;
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(SocketChannel.open(server));
    }
  }

  /**
   * Sends requests in batches, each followed by a wait for the compiler, until one gave it nothing
   * to do, or the time is over; returns how many. The compiler works through what a batch leaves
   * behind in less time when no load shares its processor.
   */
  int load(long deadlineNanos) throws IOException {
    CompilerWatch compiler = new CompilerWatch();
    int round = 0;
    while (System.nanoTime() - deadlineNanos < 0) {
      long busyBefore = compiler.busyMillis();
      int batchEnd = done + BATCH_REQUESTS;
      while (done < batchEnd && System.nanoTime() - deadlineNanos < 0) {
        small(round);
        if (round % ROUNDS_BETWEEN == 0) {
          others(volume());
          reconnect(round / ROUNDS_BETWEEN % CONNECTIONS);
        }
        round++;
      }
      compiler.awaitRest(deadlineNanos);
      if (done >= REQUESTS_MIN && compiler.busyMillis() - busyBefore <= QUIET_MILLIS) {
        return done;
      }
    }
    return done;
  }

  /** Clients come and go. */
  private void reconnect(int index) throws IOException {
    connections.get(index).close();
    connections.set(index, SocketChannel.open(server));
  }

  private String volume() {
    return "/v1/volumes/" + ids.get(random.nextInt(ids.size()));
  }

  private void small(int round) throws IOException {
    for (SocketChannel connection : connections) {
      int length = LENGTHS[random.nextInt(LENGTHS.length)];
      long at = random.nextLong((volumeBytes - length) / BLOCK_BYTES) * BLOCK_BYTES;
      String range = at + "-" + (at + length - 1);
      if (random.nextInt(3) > 0) {
        send(connection, "GET " + volume() + "/data", "Range: bytes=" + range, 0);
      } else {
        String flush = round % ROUNDS_BETWEEN == 0 ? "?flush=y" : "?flush=n";
        String place = "Content-Range: bytes " + range + "/*";
        send(connection, "PUT " + volume() + "/data" + flush, place, length);
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
    call(connection, "GET " + volume + "/extents", "Accept-Language: de", 0);
    call(connection, "GET " + volume + "/data", "Range: bytes=9999999999-\r\nIf-Match: *", 0);
    call(
        connection, "PUT " + volume + "/data", "Content-Range: bytes " + large + "/*", LARGE_BYTES);
    send(connection, "HEAD " + volume + "/data", "Accept-Language: de", 0);
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
        (line
                + " HTTP/1.1\r\n"
                + FIELDS.get(random.nextInt(FIELDS.size()))
                + field
                + length
                + "\r\n\r\n")
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
    String head = text(0, headBytes).toLowerCase(Locale.ROOT);
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
