package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer: the common header fields, errors, and the accounting at the end.
 * Confined to its loop.
 *
 * <p>Ends once: with an answer, or broken off. {@link #close} is called when the answer is out and
 * the last command of the request has ended; only then the volume is left.
 */
final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
  private static final CharSequence PROBLEM_JSON =
      HttpHeaders.createOptimized("application/problem+json");
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final int REQUEST_ID_LENGTH_MAX = 128;

  private final LoopState loop;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Optional<ClientConnection> client;
  private final long startNanos = System.nanoTime();
  private RequestKind kind = RequestKind.OTHER;
  private @Nullable Volume entered;
  private boolean bodyAwaited;
  private boolean closesAfterBody;
  private boolean closed;
  private int status;

  Exchange(LoopState loop, HttpServerRequest request) {
    this.loop = loop;
    this.request = request;
    this.response = request.response();
    loop.plane().telemetry().requestStarted();
    client = ClientConnection.of(request.connection());
    client.ifPresent(ClientConnection::requestStarted);
    response.putHeader(Fields.DATE, loop.date());
    String id = request.headers().get(REQUEST_ID);
    if (id != null && isPrintable(id)) {
      response.putHeader(REQUEST_ID, id);
    }
  }

  private static boolean isPrintable(String id) {
    if (id.isEmpty() || id.length() > REQUEST_ID_LENGTH_MAX) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      if (id.charAt(i) < '!' || id.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  LoopState loop() {
    return loop;
  }

  HttpServerRequest request() {
    return request;
  }

  HttpServerResponse response() {
    return response;
  }

  HttpMethod method() {
    return request.method();
  }

  boolean isHead() {
    return HttpMethod.HEAD.equals(request.method());
  }

  void kind(RequestKind newKind) {
    kind = newKind;
  }

  /** Returns a header field, or null. */
  @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }

  /** Returns a header field that is a list, with its lines joined, or null. */
  @Nullable String list(CharSequence name) {
    String first = header(name);
    return first != null && isRepeated(name)
        ? String.join(", ", request.headers().getAll(name))
        : first;
  }

  /** Tells whether a header field stands more than once. */
  boolean isRepeated(CharSequence name) {
    return request.headers().getAll(name).size() > 1;
  }

  /** Tells that a handler reads the body itself from now on. */
  void awaitBody() {
    bodyAwaited = true;
  }

  /**
   * Enters a volume until the exchange is closed.
   *
   * @throws ProblemException 503 if it has no room, 429 if its quota is used up
   */
  void enter(Volume volume, long payloadBytes) {
    long refused = volume.enter();
    if (refused != 0) {
      throw new ProblemException(Problem.ofResult(refused, 0, volume.id()));
    }
    entered = volume;
    long waitSeconds = volume.quotaWaitSeconds(payloadBytes);
    if (waitSeconds > 0) {
      throw new ProblemException(
          Problem.retryLater(
              ProblemCode.QUOTA,
              "the quota of volume "
                  + volume.id()
                  + " is used up; come back in "
                  + waitSeconds
                  + " s",
              waitSeconds));
    }
  }

  /**
   * Runs a step of the request: what it throws becomes an answer, so that no client waits for one
   * that never comes.
   */
  void guard(Runnable step) {
    try {
      step.run();
    } catch (ProblemException e) {
      problem(e.problem());
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.method(), request.path(), e);
      problem(Problem.of(ProblemCode.INTERNAL, "the server made a mistake; its log says more"));
    }
  }

  /** Answers with an error; what is left of the body is discarded. */
  void problem(Problem problem) {
    if (!sendProblem(problem)) {
      close();
    }
  }

  /**
   * Answers with an error, for a request whose last command has not ended yet: the caller closes
   * later.
   */
  void problemWithoutClosing(Problem problem) {
    loop.plane().telemetry().rejected(problem.code().code());
    if (!response.ended() && !response.headWritten()) {
      writeProblem(problem);
    }
  }

  private boolean sendProblem(Problem problem) {
    loop.plane().telemetry().rejected(problem.code().code());
    if (response.ended() || response.closed()) {
      return false;
    }
    if (response.headWritten()) {
      abort();
      return false;
    }
    closeAfter(writeProblem(problem));
    closeConnectionIfSaid();
    return true;
  }

  /** An answer that says so is the last one; what is left of a body is read first. */
  private void closeConnectionIfSaid() {
    if (isHttp1() && response.headers().contains(Fields.CONNECTION)) {
      if (request.isEnded()) {
        request.connection().close();
      } else {
        closesAfterBody = true;
      }
    }
  }

  /** The rest of a refused body has been read. */
  void bodyDiscarded() {
    if (closesAfterBody) {
      request.connection().close();
    }
  }

  private Future<Void> writeProblem(Problem problem) {
    status = problem.code().status();
    response.setStatusCode(status);
    // What was meant for the answer that failed must not describe the error.
    response
        .headers()
        .remove(Fields.ACCEPT_RANGES)
        .remove(Fields.CONTENT_RANGE)
        .remove(Fields.ETAG);
    problem.headers().forEach(response::putHeader);
    if (!response.headers().contains(REQUEST_ID)) {
      response.putHeader(REQUEST_ID, UUID.randomUUID().toString());
    }
    response.putHeader(Fields.CACHE_CONTROL, NO_STORE);
    discardBody();
    if (problem.code() == ProblemCode.RANGE_NOT_SATISFIABLE && !acceptsJson()) {
      // curl appends the body of a 416 to the file it resumes.
      response.putHeader(Fields.CONTENT_LENGTH, "0");
      return response.end();
    }
    byte[] body = problem.toJson();
    response.putHeader(Fields.CONTENT_TYPE, PROBLEM_JSON);
    response.putHeader(Fields.CONTENT_LENGTH, Integer.toString(body.length));
    return isHead() ? response.end() : response.end(Buffer.buffer(body));
  }

  private boolean acceptsJson() {
    String accept = header(Fields.ACCEPT);
    boolean reads = HttpMethod.GET.equals(method()) || isHead();
    return !reads || (accept != null && accept.contains("json"));
  }

  /** Answers with a JSON document. */
  void json(int code, byte[] body) {
    response.putHeader(Fields.CONTENT_TYPE, JSON);
    body(code, body);
  }

  /** Answers with a small body whose type is set already. */
  void body(int code, byte[] body) {
    status = code;
    response.setStatusCode(code);
    response.putHeader(Fields.CACHE_CONTROL, NO_STORE);
    response.putHeader(Fields.CONTENT_LENGTH, Integer.toString(body.length));
    discardBody();
    closeAfter(
        isHead()
            ? response.end()
            : response.end(BufferInternal.buffer(Unpooled.wrappedBuffer(body))));
  }

  /** Answers without a body. */
  void empty(int code) {
    status = code;
    response.setStatusCode(code);
    if (code != 204 && code != 304 && !isHead()) {
      response.putHeader(Fields.CONTENT_LENGTH, "0");
    }
    discardBody();
    closeAfter(response.end());
  }

  /** Notes the status of an answer that a handler writes itself. */
  void status(int code) {
    status = code;
    response.setStatusCode(code);
  }

  private void closeAfter(Future<Void> ended) {
    if (ended.isComplete()) {
      close();
    } else {
      ended.onComplete(done -> close());
    }
  }

  private void discardBody() {
    if (!bodyAwaited && !request.isEnded()) {
      BodyDiscard.start(this);
    }
  }

  /**
   * Answers a body whose framing broke, after which the connection closes: behind it nothing can be
   * told apart. For a client that has left, nothing happens.
   */
  void answerMalformed(Throwable failure) {
    if (failure instanceof HttpClosedException || failure instanceof IOException || !isHttp1()) {
      return;
    }
    if (response.headWritten() || response.closed()) {
      return;
    }
    response.putHeader(Fields.CONNECTION, HttpHeaders.CLOSE);
    problemWithoutClosing(
        Problem.of(
            ProblemCode.BAD_REQUEST, "the chunked body is malformed; nothing of it was written"));
    if (request.connection() instanceof HttpServerConnection connection) {
      // Vert.x closes the channel next, and a close drops what is not flushed.
      connection.channelHandlerContext().flush();
    }
  }

  /** Breaks the connection (or the HTTP/2 stream): what was promised cannot be delivered. */
  void abort() {
    status = 0;
    breakConnection();
  }

  /**
   * Closes the connection (or resets the HTTP/2 stream) at once, not behind what is still queued: a
   * client that reads nothing would keep it there for good.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // There is nobody left to tell.
  void breakConnection() {
    if (!isHttp1()) {
      response.reset();
    }
    if (request.connection() instanceof HttpServerConnection connection) {
      ChannelHandlerContext channel = connection.channelHandlerContext();
      if (isHttp1() || !channel.channel().isWritable()) {
        channel.close();
      }
    }
  }

  /**
   * Returns a number that changes when the client takes bytes of an answer that is queued; over
   * HTTP/2, where streams share the queue, always 0.
   */
  long outboundProgress() {
    if (isHttp1() && request.connection() instanceof HttpServerConnection connection) {
      return outboundProgress(connection.channelHandlerContext().channel());
    }
    return 0;
  }

  /** Returns a number that changes when the client takes bytes that are queued on a channel. */
  static long outboundProgress(Channel channel) {
    ChannelOutboundBuffer queued = channel.unsafe().outboundBuffer();
    return queued == null ? 0 : queued.totalPendingWriteBytes() + queued.currentProgress();
  }

  /** Tells whether the client's connection may carry more requests after this one. */
  boolean isHttp1() {
    return request.version() != HttpVersion.HTTP_2;
  }

  /** Ends the accounting; once the answer is out, or broken off, and no command is running. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    Volume volume = entered;
    if (volume != null) {
      volume.leave();
    }
    long now = System.nanoTime();
    loop.plane().telemetry().requestEnded(kind, status, now - startNanos);
    client.ifPresent(known -> known.exchangeEnded(now));
  }
}
