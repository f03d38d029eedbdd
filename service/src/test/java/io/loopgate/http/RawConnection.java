package io.loopgate.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One HTTP/1.1 connection, spoken by hand. */
final class RawConnection implements AutoCloseable {
  private static final int READ_MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  RawConnection(int port) throws IOException {
    this(port, 0);
  }

  /** Connects with a small receive buffer, or with the system's for 0. */
  RawConnection(int port, int receiveBufferBytes) throws IOException {
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), READ_MILLIS);
    socket.setSoTimeout(READ_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  Answer get(String target, String... headers) throws IOException {
    return call("GET", target, headers);
  }

  Answer call(String method, String target, String... headers) throws IOException {
    send(head(method, target, headers));
    return receive(method);
  }

  Answer put(String target, byte[] body, String... headers) throws IOException {
    return body("PUT", target, body, headers);
  }

  /** Sends JSON. */
  Answer json(String method, String target, String body, String... headers) throws IOException {
    return body(
        method,
        target,
        body.getBytes(StandardCharsets.UTF_8),
        with(headers, "Content-Type: application/json"));
  }

  Answer body(String method, String target, byte[] body, String... headers) throws IOException {
    sendBody(method, target, body, headers);
    return receive(method);
  }

  void sendBody(String method, String target, byte[] body, String... headers) throws IOException {
    send(head(method, target, with(headers, "Content-Length: " + body.length)));
    send(body);
  }

  /** Sends a body in one chunk and its end. */
  Answer chunked(String method, String target, byte[] body, String... headers) throws IOException {
    send(head(method, target, with(headers, "Transfer-Encoding: chunked")));
    sendChunk(body);
    send("0\r\n\r\n");
    return receive(method);
  }

  void sendChunk(byte[] chunk) throws IOException {
    if (chunk.length > 0) {
      send(Integer.toHexString(chunk.length) + "\r\n");
      send(chunk);
      send("\r\n");
    }
  }

  private static String[] with(String[] headers, String more) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(more);
    return all.toArray(String[]::new);
  }

  static String head(String method, String target, String... headers) {
    StringBuilder head =
        new StringBuilder().append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: test\r\n");
    for (String line : headers) {
      head.append(line).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Reads one answer to its last byte; interim ones are passed over. */
  Answer receive(String method) throws IOException {
    Answer head = receiveHead();
    boolean bodiless = method.equals("HEAD") || head.status() == 204 || head.status() == 304;
    return bodiless ? head : new Answer(head.status(), head.fields(), readBody(head));
  }

  Answer receiveHead() throws IOException {
    while (true) {
      Answer head = anyHead();
      if (head.status() >= 200) {
        return head;
      }
    }
  }

  /** Reads a head, also an interim one. */
  Answer anyHead() throws IOException {
    String statusLine = line();
    if (!statusLine.startsWith("HTTP/1.")) {
      throw new AssertionError("no status line: " + statusLine);
    }
    Map<String, List<String>> fields = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      fields
          .computeIfAbsent(
              line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return new Answer(Integer.parseInt(statusLine.substring(9, 12)), fields, new byte[0]);
  }

  byte[] readBody(Answer head) throws IOException {
    if (head.field("transfer-encoding").equals("chunked")) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      while (true) {
        int length = Integer.parseInt(line(), 16);
        all.write(readFully(length));
        line();
        if (length == 0) {
          return all.toByteArray();
        }
      }
    }
    String length = head.field("content-length");
    return readFully(length.isEmpty() ? 0 : Integer.parseInt(length));
  }

  /** Reads exactly so many bytes, or throws. */
  byte[] readFully(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("only " + bytes.length + " bytes of " + length);
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended in a head: " + line);
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** Reads until the other side closes, and returns how much came. */
  long drain() throws IOException {
    long bytes = 0;
    byte[] buffer = new byte[64 << 10];
    try {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
      }
    } catch (SocketException reset) {
      return bytes;
    }
    return bytes;
  }

  /** Tells, after a wait for it, that the other side closed and sent nothing more. */
  boolean isClosedByPeer() throws IOException {
    return drain() == 0;
  }

  /** Closes with a reset, as a client does that dies. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
