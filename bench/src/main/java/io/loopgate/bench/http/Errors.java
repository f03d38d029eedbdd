package io.loopgate.bench.http;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what went wrong and keeps the first few. Any thread. */
final class Errors {
  private static final int KEPT = 5;

  private final AtomicLong count = new AtomicLong();
  private final ConcurrentLinkedQueue<String> first = new ConcurrentLinkedQueue<>();

  /** Takes one line. */
  void add(String line) {
    if (count.incrementAndGet() <= KEPT) {
      first.add(line);
    }
  }

  long count() {
    return count.get();
  }

  List<String> first() {
    return List.copyOf(first);
  }
}
