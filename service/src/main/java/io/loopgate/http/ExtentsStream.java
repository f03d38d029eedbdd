package io.loopgate.http;

import io.loopgate.backing.Extent;
import io.loopgate.volume.ExtentPage;
import io.loopgate.volume.Volume;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * All extents of a window, one a line, page after page as the client reads. Confined to its loop,
 * but for the reading of pages.
 */
final class ExtentsStream implements StallWatch.Transfer {
  private final Exchange exchange;
  private final HttpServerResponse response;
  private final Volume volume;
  private final ExtentsHandler.Window window;
  private long position;
  private long written;
  private boolean ended;

  ExtentsStream(Exchange exchange, Volume volume, ExtentsHandler.Window window) {
    this.exchange = exchange;
    this.response = exchange.response();
    this.volume = volume;
    this.window = window;
    this.position = window.fromBytes();
  }

  void start() {
    exchange.status(200);
    response.putHeader(Fields.CACHE_CONTROL, "no-store");
    response.setChunked(true);
    response.closeHandler(closed -> ended = true);
    readPage();
  }

  private void readPage() {
    BackgroundWork.run(
        exchange,
        () -> ExtentPage.read(volume.backing(), position, window.endBytes(), window.limit()),
        this::send);
  }

  private void send(ExtentPage page) {
    exchange.loop().stalls().forget(this);
    if (ended || response.closed()) {
      exchange.close();
      return;
    }
    Buffer lines = Buffer.buffer();
    for (Extent extent : page.extents()) {
      lines.appendBytes(Json.write(ExtentsHandler.node(extent))).appendByte((byte) '\n');
    }
    position = page.nextBytes();
    if (position >= window.endBytes()) {
      ended = true;
      lines.appendString("{\"end\":true}\n");
      response.end(lines).onComplete(done -> exchange.close());
      return;
    }
    exchange.loop().stalls().watch(this, System.nanoTime());
    response.write(lines).onComplete(done -> sent(done.succeeded()));
  }

  private void sent(boolean succeeded) {
    written++;
    exchange.loop().stalls().forget(this);
    if (!succeeded || ended) {
      exchange.close();
    } else {
      readPage();
    }
  }

  @Override
  public long progress() {
    return written;
  }

  @Override
  public void cut() {
    exchange.loop().plane().telemetry().stalledTransfer();
    ended = true;
    exchange.abort();
  }
}
