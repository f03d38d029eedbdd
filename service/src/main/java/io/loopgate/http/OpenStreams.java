package io.loopgate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** The queue streams of one loop, so that they can be ended with the process. Confined to it. */
final class OpenStreams {
  private final Set<QueueStream> open = Collections.newSetFromMap(new IdentityHashMap<>());

  void add(QueueStream stream) {
    open.add(stream);
  }

  void remove(QueueStream stream) {
    open.remove(stream);
  }

  void drain() {
    new ArrayList<>(open).forEach(QueueStream::drain);
  }
}
