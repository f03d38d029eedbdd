package io.loopgate.engine.netty;

import io.loopgate.engine.LoopContext;
import io.netty.channel.SingleThreadEventLoop;
import java.util.Optional;

/**
 * Runs a task in the next turn of an event loop: not before the loop has served its sockets once.
 *
 * <p>A task that hands itself to a loop of Netty's again and again keeps it from its sockets for up
 * to a second ({@code io.netty.eventLoop.maxTaskProcessingQuantumMs}), as the loop runs tasks until
 * there is none. So the task takes a detour through what the loop does last in a turn. Allocates
 * nothing.
 */
public final class NextTurn {
  private final Runnable again;

  /** Prepares a task for a loop. */
  public NextTurn(LoopContext loop, Runnable task) {
    Optional<SingleThreadEventLoop> netty = loop.unwrap(SingleThreadEventLoop.class);
    if (netty.isPresent()) {
      SingleThreadEventLoop eventLoop = netty.get();
      Runnable detour = () -> eventLoop.execute(task);
      again = () -> eventLoop.executeAfterEventLoopIteration(detour);
    } else {
      again = () -> loop.execute(task);
    }
  }

  /** Lets the task run in the next turn. On the loop. */
  public void again() {
    again.run();
  }
}
