package io.loopgate.it;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * One HTTP/1.1 connection, spoken by hand: nothing is retried, and a test sees whether an answer
 * was complete.
 */
final class Wire implements Closeable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 30_000;
  private static final int LINE_LIMIT = 64 * 1024;
  private static final int BUFFER_BYTES = 32 * 1024;

  private final Socket socket = new Socket();
  private final String authority;
  private final InputStream in;
  private final OutputStream out;

  Wire(URI base) throws IOException {
    this(base, 0);
  }

  /** Connects with a receive buffer of this size; 0 leaves it to the system. */
  Wire(URI base, int receiveBufferBytes) throws IOException {
    authority = base.getAuthority();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    try {
      socket.connect(new InetSocketAddress(base.getHost(), base.getPort()), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(READ_MILLIS);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  int localPort() {
    return socket.getLocalPort();
  }

  Answer exchange(String method, String target) throws IOException {
    return exchange(method, target, List.of(), new byte[0]);
  }

  Answer exchange(String method, String target, List<String> headers, byte[] body)
      throws IOException {
    send(method, target, headers, body);
    return receive(method);
  }

  /** Sends a request with its body in one piece. */
  void send(String method, String target, List<String> headers, byte[] body) throws IOException {
    boolean bodiless = body.length == 0 && !method.startsWith("P");
    byte[] head =
        head(method, target, headers, bodiless ? "" : "Content-Length: " + body.length + "\r\n");
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    sendRaw(all, all.length);
  }

  /** Sends a request that declares a length, and only the first bytes of its body. */
  void sendPart(String method, String target, long declared, byte[] part) throws IOException {
    byte[] head = head(method, target, List.of(), "Content-Length: " + declared + "\r\n");
    sendRaw(head, head.length);
    sendRaw(part, part.length);
  }

  /** Sends a request with its body in chunks of this size. */
  Answer exchangeChunked(String method, String target, List<String> headers, byte[] body, int chunk)
      throws IOException {
    var all = new ByteArrayOutputStream();
    all.writeBytes(head(method, target, headers, "Transfer-Encoding: chunked\r\n"));
    for (int from = 0; from < body.length; from += chunk) {
      int length = Math.min(chunk, body.length - from);
      all.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      all.write(body, from, length);
      all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    sendRaw(all.toByteArray(), all.size());
    return receive(method);
  }

  private byte[] head(String method, String target, List<String> headers, String framing) {
    var head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ");
    head.append(authority).append("\r\n").append(framing);
    headers.forEach(line -> head.append(line).append("\r\n"));
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private void sendRaw(byte[] bytes, int length) throws IOException {
    try {
      out.write(bytes, 0, length);
    } catch (SocketException e) {
      throw new ClosedBeforeAnswerException(e);
    }
  }

  /** Reads an answer to its last byte. */
  Answer receive(String method) throws IOException {
    Answer head = receiveHead();
    int status = head.status();
    if (method.equals("HEAD") || status == 204 || status == 304) {
      return head;
    }
    return new Answer(status, head.headers(), body(head).readAllBytes());
  }

  /** Reads an answer up to its body; interim answers are passed over. */
  Answer receiveHead() throws IOException {
    while (true) {
      String line = firstLine();
      if (!line.startsWith("HTTP/1.1 ") || line.length() < 12) {
        throw new AssertionError("not a status line: " + line);
      }
      int status = Integer.parseInt(line.substring(9, 12));
      var headers = new TreeMap<String, String>();
      for (String next = line(in.read()); !next.isEmpty(); next = line(in.read())) {
        int colon = next.indexOf(':');
        headers.put(
            next.substring(0, colon).toLowerCase(Locale.ROOT), next.substring(colon + 1).strip());
      }
      if (status >= 200) {
        return new Answer(status, headers, new byte[0]);
      }
    }
  }

  private String firstLine() throws IOException {
    int first;
    try {
      first = in.read();
    } catch (SocketException e) {
      throw new ClosedBeforeAnswerException(e);
    }
    if (first < 0) {
      throw new ClosedBeforeAnswerException(new EOFException());
    }
    return line(first);
  }

  private String line(int first) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = first; next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("an answer broke off in its head");
      }
      if (line.size() > LINE_LIMIT) {
        throw new AssertionError("a line of over " + LINE_LIMIT + " bytes");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** The body that follows a head; reading past a premature end throws. */
  InputStream body(Answer head) {
    if (head.header("Transfer-Encoding").orElse("").equalsIgnoreCase("chunked")) {
      return new BodyStream(in, 0, true);
    }
    return new BodyStream(in, Long.parseLong(head.header("Content-Length").orElse("0")), false);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
