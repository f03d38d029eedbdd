package io.loopgate.http;

import io.loopgate.volume.Volume;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue request: commands in, completions out, both at the same time. Confined to its loop.
 *
 * <p>Bytes are taken apart as they arrive. What ends is sent once in a turn of the loop, in a task
 * behind all that ended in it; the same task reads on where there was no room before. A stream that
 * waits for nothing lives as long as its connection; one whose client owes the rest of a command,
 * or does not read, is watched like every transfer.
 *
 * <p>Ends once: all completions sent, or broken off. Memory goes back when the kernel is done with
 * it, and only then the request is over.
 */
final class QueueStream implements StallWatch.Transfer {
  private static final Logger LOG = LoggerFactory.getLogger(QueueStream.class);
  private static final CharSequence NO_STORE_NO_TRANSFORM =
      HttpHeaders.createOptimized("no-store, no-transform");
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Exchange exchange;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Volume volume;
  private final QueueMemory memory;
  private final QueueCommands commands;
  private final QueueIntake intake;
  private final QueueOutput output;
  private final Runnable turn = this::turn;
  private long receivedBytes;
  private long idleLooks;
  private int lastStatus;
  private boolean turnComes;
  private boolean advancing;
  private boolean paused;
  private boolean bodyEnded;
  private boolean inputClosed;
  private boolean ending;
  private boolean over;
  private boolean lingering;
  private boolean drainSeen;

  QueueStream(Exchange exchange, Volume volume, QueueTerms terms) {
    this.exchange = exchange;
    this.request = exchange.request();
    this.response = exchange.response();
    this.volume = volume;
    this.memory = new QueueMemory(exchange.loop().buffers(), this::wake);
    this.commands = new QueueCommands(exchange.loop(), volume, terms, memory, this::wake);
    this.intake = new QueueIntake(commands);
    this.output = new QueueOutput(exchange, memory, this::wake);
  }

  /** Begins; the head of the answer goes out with the first completions, or at once. */
  void start() {
    exchange.awaitBody();
    exchange.status(200);
    response
        .putHeader(Fields.CONTENT_TYPE, QueueFrames.TYPE)
        .putHeader(Fields.CACHE_CONTROL, NO_STORE_NO_TRANSFORM);
    if (isHttp10()) {
      // There is no other way to tell where the answer ends.
      response.putHeader(Fields.CONNECTION, HttpHeaders.CLOSE);
    }
    response.setChunked(true);
    request.handler(this::received);
    request.endHandler(
        end -> {
          bodyEnded = true;
          wake();
        });
    request.exceptionHandler(failure -> brokenOff());
    response.exceptionHandler(failure -> brokenOff());
    response.closeHandler(closed -> brokenOff());
    exchange.loop().stalls().watch(this, System.nanoTime());
    exchange.loop().streams().add(this);
    exchange.loop().plane().telemetry().queueStream(1);
    wake();
  }

  private boolean isHttp10() {
    return request.version() == HttpVersion.HTTP_1_0;
  }

  private void received(Buffer chunk) {
    if (inputClosed) {
      return;
    }
    receivedBytes += chunk.length();
    exchange.loop().plane().telemetry().received(chunk.length());
    intake.add(((BufferInternal) chunk).getByteBuf());
    guard(this::advance);
  }

  /** Reads on, from what is here and then from the socket, as long as there is room. */
  private void advance() {
    if (advancing || inputClosed) {
      return;
    }
    advancing = true;
    intake.advance();
    advancing = false;
    if (intake.isMalformed()) {
      closeInput(ProblemCode.BAD_REQUEST.status());
    } else if (commands.isVolumeClosed()) {
      closeInput(0);
    } else if (!intake.isHungry()) {
      pause();
    } else if (bodyEnded) {
      closeInput(intake.isAmidCommand() ? ProblemCode.BAD_REQUEST.status() : 0);
    } else {
      resume();
    }
  }

  private void pause() {
    if (!paused && !request.isEnded()) {
      paused = true;
      request.pause();
    }
  }

  private void resume() {
    if (paused && !request.isEnded()) {
      paused = false;
      request.resume();
    }
  }

  /** Takes no more commands; a status other than 0 says in a last frame why. */
  private void closeInput(int status) {
    inputClosed = true;
    lastStatus = status;
    intake.drop();
    pause();
    wake();
  }

  /** Runs {@link #turn} once, behind what else happens in this turn of the loop. */
  private void wake() {
    if (!turnComes) {
      turnComes = true;
      exchange.loop().io().context().execute(turn);
    }
  }

  private void turn() {
    turnComes = false;
    guard(
        () -> {
          if (!over) {
            send();
            commands.restart();
            advance();
            endIfDone();
            sendHead();
          }
          closeIfOver();
        });
  }

  private void send() {
    QueueCommand command = commands.firstEnded();
    while (command != null && output.add(command, commands.endedBytes())) {
      commands.sent(command);
      command = commands.firstEnded();
    }
    output.flush();
  }

  /** Sends the head of the answer alone, unless completions are about to follow it. */
  private void sendHead() {
    if (!response.headWritten() && commands.firstEnded() == null && !isHttp10()) {
      response.writeHead();
    }
  }

  private void endIfDone() {
    if (inputClosed && !ending && !commands.isDue()) {
      ending = true;
      commands.close();
      if (!request.isEnded()) {
        dropRest();
      }
      output.end(lastFrame());
    }
  }

  private byte[] lastFrame() {
    if (lastStatus == 0) {
      return new byte[0];
    }
    byte[] frame = new byte[QueueFrames.FRAME_BYTES];
    QueueFrames.setCompletion(
        Unpooled.wrappedBuffer(frame),
        0,
        lastStatus,
        QueueFrames.END_TAG,
        volume.currentSequence(),
        0,
        0);
    return frame;
  }

  /**
   * What the client still sends goes by. A process that ends closes its connections, and one that
   * closes with bytes unread takes back what it has sent: so the request is over when the client
   * has seen the end, or took too long for it.
   */
  private void dropRest() {
    if (exchange.loop().plane().draining().get()) {
      lingering = true;
      exchange.loop().io().context().schedule(this::lingeredLongEnough, LINGER_NANOS);
    }
    BodyDiscard.start(exchange, this::restDropped);
  }

  private void restDropped() {
    lingering = false;
    wake();
  }

  private void lingeredLongEnough() {
    if (lingering) {
      lingering = false;
      exchange.breakConnection();
      wake();
    }
  }

  private void closeIfOver() {
    if (!over && output.isEnded()) {
      over = true;
      leave();
      if (isHttp10()) {
        request.connection().close();
      }
    }
    if (over && !lingering && commands.isOutOfVolume()) {
      exchange.close();
    }
  }

  private void leave() {
    exchange.loop().stalls().forget(this);
    exchange.loop().streams().remove(this);
    exchange.loop().plane().telemetry().queueStream(-1);
    memory.close();
  }

  private void brokenOff() {
    if (over) {
      return;
    }
    over = true;
    inputClosed = true;
    leave();
    intake.drop();
    commands.abandon();
    output.abandon();
    // What is still queued has to go by: Vert.x does not give back what a closed connection holds.
    resume();
    closeIfOver();
  }

  private void guard(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("a queue of volume {} failed", volume.id(), e);
      exchange.abort();
      brokenOff();
    }
  }

  /**
   * The process is about to end. A request of known length is finished; a stream ends with what is
   * due, when it is idle or at the second look.
   */
  void drain() {
    boolean busy = commands.isDue() || intake.isAmidCommand() || !intake.isHungry();
    boolean finite = request.headers().contains(Fields.CONTENT_LENGTH);
    if (!inputClosed && !finite && (drainSeen || !busy)) {
      closeInput(0);
    }
    drainSeen = true;
  }

  @Override
  public long progress() {
    boolean owed =
        output.isUnsent() || (intake.isAmidCommand() && intake.isHungry() && !inputClosed);
    if (!owed) {
      idleLooks++;
    }
    return idleLooks + receivedBytes + output.progress();
  }

  /** The client stands still: amid a command, or it does not read. */
  @Override
  public void cut() {
    exchange.loop().plane().telemetry().stalledTransfer();
    if (output.isUnsent()) {
      exchange.abort();
      brokenOff();
    } else {
      closeInput(ProblemCode.REQUEST_TIMEOUT.status());
      exchange.loop().stalls().watch(this, System.nanoTime());
    }
  }
}
