package io.loopgate.volume;

import io.loopgate.engine.LoopContext;
import io.loopgate.telemetry.LoopTelemetry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop needs to talk to volumes: its slots, reused so that no command allocates, and
 * how many of them may be in flight over all volumes.
 *
 * <p>A command that begins the work of a request is refused when as many are in flight as may be,
 * so that a stalled device cannot fill the loop. One that goes on with work under way always finds
 * room: the next piece of a transfer, the rest of a read-modify-write, the flush of a group. Each
 * takes the place of one that has ended, and refusing it would break what was half done; how many
 * there can be follows from how many requests volumes admit.
 *
 * <p>Confined to its loop, but for {@link #context()}.
 */
public final class IoLoop {
  private static final int FREE_AT_FIRST = 64;

  private final LoopContext context;
  private final LoopTelemetry telemetry;
  private final ArrayDeque<Command> free = new ArrayDeque<>();
  private int inFlight;

  /** Creates the slots of a loop; the telemetry knows the bound. */
  public IoLoop(LoopContext context, LoopTelemetry telemetry) {
    this.context = context;
    this.telemetry = telemetry;
    // Most loops never need more, and then the compiler was right to leave the making of one out.
    for (int i = 0; i < FREE_AT_FIRST; i++) {
      free.push(new Command(this));
    }
  }

  /** Returns the loop. */
  public LoopContext context() {
    return context;
  }

  /** Tells whether a command that begins work would find room now. */
  public boolean hasRoom() {
    return inFlight < telemetry.commandsMax();
  }

  /** Returns a slot for a command that begins work, or null if as many are in flight as may be. */
  @Nullable Command tryTake() {
    if (!hasRoom()) {
      telemetry.commandRefused();
      return null;
    }
    return take();
  }

  /** Returns a slot for a command that goes on with work under way. */
  Command take() {
    telemetry.commands(++inFlight);
    Command pooled = free.poll();
    return pooled != null ? pooled : new Command(this);
  }

  void give(Command command) {
    telemetry.commands(--inFlight);
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
