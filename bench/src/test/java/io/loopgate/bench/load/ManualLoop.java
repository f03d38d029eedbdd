package io.loopgate.bench.load;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.LoopContext;
import java.util.ArrayDeque;
import java.util.Optional;

/** A loop whose tasks run when the test says so, on the test's thread. */
final class ManualLoop implements LoopContext, CompletionSink {
  final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  /** Runs the tasks that are there now; what they add waits. */
  void turn() {
    for (int left = tasks.size(); left > 0; left--) {
      tasks.remove().run();
    }
  }

  @Override
  public int index() {
    return 0;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionSink completions() {
    return this;
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public void offer(BlockRequest request) {
    tasks.add(request::runCompletion);
  }

  @Override
  public int loopIndex() {
    return 0;
  }
}
