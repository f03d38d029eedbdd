package io.loopgate.http;

import io.loopgate.it.QueueClient;
import io.loopgate.it.QueueWire;
import io.loopgate.it.QueueWire.Completion;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One queue request of a test, over either protocol: both directions at once. */
interface QueueExchange extends AutoCloseable {
  /** Sends a piece of the body. */
  void send(byte[] piece);

  /** Ends the body. */
  void end();

  /** Waits for the head of the answer. */
  int status();

  /** Waits for a completion; none at the end of the answer. */
  Optional<Completion> take();

  /** Leaves without a word. */
  void leave();

  @Override
  void close();

  /** Ends the body and returns all completions that are still to come. */
  default List<Completion> rest() {
    end();
    return takeAll();
  }

  /** Returns all completions until the answer ends. */
  default List<Completion> takeAll() {
    List<Completion> all = new ArrayList<>();
    for (Optional<Completion> next = take(); next.isPresent(); next = take()) {
      all.add(next.get());
    }
    return all;
  }

  /** Over which protocol. */
  enum Protocol {
    HTTP_1,
    HTTP_2;

    QueueExchange open(TestServer server, String target, String... fields) {
      return this == HTTP_1
          ? new OverHttp1(server.port(), target, fields)
          : new Connection(server).openAlone(target, fields);
    }
  }

  /** One HTTP/2 connection for several of them. */
  final class Connection implements AutoCloseable {
    private final HttpClient client;
    private final int port;

    Connection(TestServer server) {
      client =
          server
              .vertx()
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false),
                  new PoolOptions().setHttp2MaxSize(1));
      port = server.port();
    }

    QueueExchange open(String target, String... fields) {
      return new OverHttp2(client, port, () -> {}, target, fields);
    }

    private QueueExchange openAlone(String target, String... fields) {
      return new OverHttp2(client, port, this::close, target, fields);
    }

    @Override
    public void close() {
      TestServer.await(client.close());
    }
  }

  /** Over HTTP/1.1, chunked. */
  final class OverHttp1 implements QueueExchange {
    private final QueueClient client;

    OverHttp1(int port, String target, String... fields) {
      try {
        client = new QueueClient("127.0.0.1", port, target, 0, fields);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void send(byte[] piece) {
      try {
        client.gather(piece);
        client.send();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void end() {
      try {
        client.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public int status() {
      try {
        return client.status();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Optional<Completion> take() {
      try {
        return client.take();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void leave() {
      try {
        client.reset();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        client.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Over HTTP/2 with prior knowledge. */
  final class OverHttp2 implements QueueExchange {
    private static final long PATIENCE_SECONDS = 20;

    private final HttpClientRequest request;
    private final Runnable whenClosed;
    private final CompletableFuture<HttpClientResponse> head = new CompletableFuture<>();
    private final Object arrivals = new Object();
    private ByteBuffer unread = ByteBuffer.allocate(0);
    private boolean ended;

    OverHttp2(HttpClient client, int port, Runnable whenClosed, String target, String... fields) {
      this.whenClosed = whenClosed;
      RequestOptions options =
          new RequestOptions()
              .setMethod(HttpMethod.POST)
              .setHost("127.0.0.1")
              .setPort(port)
              .setURI(target)
              .putHeader("content-type", QueueWire.TYPE);
      for (String field : fields) {
        int colon = field.indexOf(':');
        options.putHeader(field.substring(0, colon), field.substring(colon + 1).strip());
      }
      request = TestServer.await(client.request(options));
      request
          .response()
          .onComplete(
              answer -> {
                HttpClientResponse response = answer.result();
                if (response == null) {
                  arrived(Buffer.buffer(), true);
                  head.completeExceptionally(answer.cause());
                } else {
                  response.handler(piece -> arrived(piece, false));
                  response.endHandler(end -> arrived(Buffer.buffer(), true));
                  response.exceptionHandler(failure -> arrived(Buffer.buffer(), true));
                  head.complete(response);
                }
              });
      TestServer.await(request.writeHead());
    }

    private void arrived(Buffer piece, boolean last) {
      synchronized (arrivals) {
        ByteBuffer joined = ByteBuffer.allocate(unread.remaining() + piece.length());
        unread = joined.put(unread).put(piece.getBytes()).flip();
        ended |= last;
        arrivals.notifyAll();
      }
    }

    @Override
    public void send(byte[] piece) {
      TestServer.await(request.write(Buffer.buffer(piece)));
    }

    @Override
    public void end() {
      TestServer.await(
          request
              .end()
              .recover(
                  failure ->
                      // The server may have ended the stream first.
                      failure instanceof StreamResetException
                          ? io.vertx.core.Future.succeededFuture()
                          : io.vertx.core.Future.failedFuture(failure)));
    }

    @Override
    public int status() {
      try {
        return head.get(PATIENCE_SECONDS, TimeUnit.SECONDS).statusCode();
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Optional<Completion> take() {
      if (!awaits(QueueWire.FRAME_BYTES)) {
        return Optional.empty();
      }
      synchronized (arrivals) {
        int payload = unread.getInt(unread.position() + 24);
        if (!awaits(QueueWire.FRAME_BYTES + payload)) {
          throw new AssertionError("half a completion");
        }
        return Optional.of(QueueWire.completion(unread));
      }
    }

    private boolean awaits(int bytes) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      synchronized (arrivals) {
        while (unread.remaining() < bytes) {
          long left = deadline - System.nanoTime();
          if (ended) {
            return false;
          }
          if (left <= 0) {
            throw new AssertionError("only " + unread.remaining() + " bytes of " + bytes);
          }
          try {
            TimeUnit.NANOSECONDS.timedWait(arrivals, left);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
        return true;
      }
    }

    @Override
    public void leave() {
      TestServer.await(request.reset(8).otherwiseEmpty());
    }

    @Override
    public void close() {
      whenClosed.run();
    }
  }
}
