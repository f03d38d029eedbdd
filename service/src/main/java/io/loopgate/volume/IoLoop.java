package io.loopgate.volume;

import io.loopgate.engine.LoopContext;
import java.util.ArrayDeque;

/**
 * What one event loop needs to talk to volumes: its slots, reused so that no command allocates.
 *
 * <p>Confined to its loop, but for {@link #context()}. The number of slots follows from how many
 * requests volumes admit, so the pool has no bound of its own.
 */
public final class IoLoop {
  private final LoopContext context;
  private final ArrayDeque<Command> free = new ArrayDeque<>();

  /** Creates the slots of a loop. */
  public IoLoop(LoopContext context) {
    this.context = context;
  }

  /** Returns the loop. */
  public LoopContext context() {
    return context;
  }

  Command take() {
    Command pooled = free.poll();
    return pooled != null ? pooled : new Command(this);
  }

  void give(Command command) {
    free.push(command);
  }

  /** Ends something on this loop: at once if {@code from} is this loop, else soon. */
  void end(IoLoop from, IoHandler handler, long result) {
    if (from == this) {
      handler.ended(result);
    } else {
      context.execute(() -> handler.ended(result));
    }
  }
}
