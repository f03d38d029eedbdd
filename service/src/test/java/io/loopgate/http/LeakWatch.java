package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects what Netty reports of buffers that nobody gave back. */
final class LeakWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final int PROBES = 64;
  private static final int COLLECTIONS_MAX = 50;
  private static final long COLLECTION_MILLIS = 20;

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);

  LeakWatch() {
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    reports.add(event.getFormattedMessage());
  }

  /** Lets the collector find what was lost, and fails if there is any. */
  void assertNone() {
    collect();
    for (int i = 0; i < PROBES; i++) {
      PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
    assertThat(reports).as("leaked buffers").isEmpty();
  }

  /** Runs the collector, and returns when a reference of ours that it cleared has come around. */
  private static void collect() {
    ReferenceQueue<Object> cleared = new ReferenceQueue<>();
    WeakReference<Object> canary = new WeakReference<>(new Object(), cleared);
    try {
      for (int i = 0; i < COLLECTIONS_MAX && cleared.remove(COLLECTION_MILLIS) == null; i++) {
        System.gc();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(canary.get()).isNull();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
