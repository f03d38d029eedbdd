package io.loopgate.admin;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Lets one document be built at a time, on a worker, and bounds how many requests wait for it.
 *
 * <p>A request for what waits to be built shares it; what is being built already is not shared,
 * since it may miss what happened before the request came. Everything here happens on one event
 * loop.
 *
 * @param <K> what tells documents apart
 */
final class BuildGate<K> {
  private final WorkerExecutor worker;
  private final int maxWaiting;
  private final Deque<Build<K>> queue = new ArrayDeque<>();
  private boolean building;
  private int waiting;

  BuildGate(WorkerExecutor worker, int maxWaiting) {
    this.worker = worker;
    this.maxWaiting = maxWaiting;
  }

  private record Build<K>(K key, Callable<Buffer> work, List<Promise<Buffer>> waiters) {}

  /** Returns the document when it is built; empty if too many wait already. */
  Optional<Future<Buffer>> submit(K key, Callable<Buffer> work) {
    if (waiting >= maxWaiting) {
      return Optional.empty();
    }
    waiting++;
    Promise<Buffer> promise = Promise.promise();
    Build<K> build = queued(key, work);
    build.waiters().add(promise);
    buildNext();
    return Optional.of(promise.future());
  }

  private Build<K> queued(K key, Callable<Buffer> work) {
    for (Build<K> build : queue) {
      if (build.key().equals(key)) {
        return build;
      }
    }
    Build<K> build = new Build<>(key, work, new ArrayList<>());
    queue.add(build);
    return build;
  }

  private void buildNext() {
    if (building || queue.isEmpty()) {
      return;
    }
    Build<K> build = queue.remove();
    building = true;
    worker
        .executeBlocking(build.work(), false)
        .onComplete(
            result -> {
              building = false;
              waiting -= build.waiters().size();
              for (Promise<Buffer> waiter : build.waiters()) {
                waiter.handle(result);
              }
              buildNext();
            });
  }
}
