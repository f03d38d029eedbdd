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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One queue over HTTP/1.1: commands go out in a chunked request, completions come in its chunked
 * answer.
 *
 * <p>Commands gather until {@link #send}. One thread may send while another takes.
 */
public final class QueueClient implements Closeable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 30_000;
  private static final int BUFFER_BYTES = 256 << 10;

  private final Socket socket = new Socket();
  private final OutputStream out;
  private final InputStream in;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
  private int status;
  private String head = "";
  private long chunkLeft;
  private boolean answerEnded;

  /**
   * Opens a queue; the answer's head is read with the first completion.
   *
   * @param target the path, with a query if one is wanted
   * @param receiveBufferBytes the size of the socket's buffer, or 0 for the system's
   * @param fields more lines of the head
   */
  public QueueClient(String host, int port, String target, int receiveBufferBytes, String... fields)
      throws IOException {
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
    socket.setSoTimeout(READ_MILLIS);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    StringBuilder request = new StringBuilder("POST " + target + " HTTP/1.1\r\n");
    request.append("Host: ").append(host).append("\r\n");
    request.append("Content-Type: ").append(QueueWire.TYPE).append("\r\n");
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    request.append("Transfer-Encoding: chunked\r\n\r\n");
    out.write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** Opens the queue of a volume. */
  public static QueueClient open(String host, int port, String volume) throws IOException {
    return new QueueClient(host, port, "/v1/volumes/" + volume + "/queue", 0);
  }

  /** Gathers a command that has no payload. */
  public void command(int op, long tag, long offset, int length) {
    gather(QueueWire.command(op, tag, offset, length));
  }

  /** Gathers a read. */
  public void read(long tag, long offset, int length) {
    command(QueueWire.READ, tag, offset, length);
  }

  /** Gathers a write; {@code flags} is 0 or {@link QueueWire#FUA}. */
  public void write(long tag, long offset, byte[] payload, int flags) {
    gather(QueueWire.write(tag, offset, payload, flags, QueueWire.crc32c(payload)));
  }

  /** Gathers bytes as they are. */
  public void gather(byte[] bytes) {
    gathered.writeBytes(bytes);
  }

  /** Sends what was gathered, in one chunk. */
  public void send() throws IOException {
    if (gathered.size() > 0) {
      byte[] bytes = gathered.toByteArray();
      gathered.reset();
      out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(bytes);
      out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  /** Sends what was gathered and ends the request; the answer goes on until all is completed. */
  public void end() throws IOException {
    send();
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** Waits for the head of the answer and returns its status. */
  public int status() throws IOException {
    while (status < 200) {
      String line = line();
      status = Integer.parseInt(line.substring(9, 12));
      StringBuilder lines = new StringBuilder();
      while (!line.isEmpty()) {
        lines.append(line).append('\n');
        line = line();
      }
      head = lines.toString().toLowerCase(Locale.ROOT);
    }
    return status;
  }

  /** Returns the head of the answer, in lower case; after {@link #status}. */
  public String head() {
    return head;
  }

  /** Waits for a completion; none at the end of the answer. */
  public Optional<QueueWire.Completion> take() throws IOException {
    byte[] frame = new byte[QueueWire.FRAME_BYTES];
    int had = read(frame, 0);
    if (had == 0) {
      return Optional.empty();
    }
    if (had < frame.length) {
      throw new EOFException("half a completion");
    }
    byte[] whole = new byte[frame.length + QueueWire.payloadBytes(frame)];
    System.arraycopy(frame, 0, whole, 0, frame.length);
    if (read(whole, frame.length) < whole.length - frame.length) {
      throw new EOFException("half a payload");
    }
    return Optional.of(QueueWire.completion(ByteBuffer.wrap(whole)));
  }

  /** Fills an array from an index on with bytes of the answer; fewer only at its end. */
  private int read(byte[] into, int from) throws IOException {
    status();
    int at = from;
    while (at < into.length && nextChunk()) {
      int length = in.read(into, at, (int) Math.min(into.length - at, chunkLeft));
      if (length < 0) {
        throw new EOFException("the connection ended amid an answer");
      }
      at += length;
      chunkLeft -= length;
      if (chunkLeft == 0) {
        line();
      }
    }
    return at - from;
  }

  private boolean nextChunk() throws IOException {
    if (chunkLeft == 0 && !answerEnded) {
      chunkLeft = Long.parseLong(line(), 16);
      if (chunkLeft == 0) {
        answerEnded = true;
        line();
      }
    }
    return !answerEnded;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended: " + line);
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** Closes with a reset, as a client does that dies. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
