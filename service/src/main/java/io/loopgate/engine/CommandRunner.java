package io.loopgate.engine;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one command to its end on the calling thread, step by step.
 *
 * <p>A short transfer is ordinary and is continued; an interrupted or postponed step is tried again
 * a bounded number of times; a step that moves nothing is an error, never a success. Blocks for as
 * long as the backing does.
 */
public final class CommandRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);

  /** How many steps in a row may come to nothing before the command fails. */
  private static final int FRUITLESS_STEPS_MAX = 16;

  private CommandRunner() {}

  /**
   * Returns the length of the command, or the negative number of the error that ended it. A backing
   * that throws has a bug, or the process lacks memory or stack for it: the command ends as EIO,
   * and the thread lives on for the next one. Only a broken JVM is thrown on, and then the caller
   * still has to end the command.
   */
  public static long run(Backing backing, BlockRequest request) {
    try {
      return runSteps(backing, request);
    } catch (RuntimeException | Error e) {
      Failures.handle(LOG, "a bug ended {}; it is answered as EIO", request, e);
      return -Errno.EIO;
    }
  }

  private static long runSteps(Backing backing, BlockRequest request) {
    if (request.op() == BlockOp.FLUSH) {
      return flush(backing, request);
    }
    int fruitless = 0;
    while (request.remainingBytes() > 0) {
      long step = backing.execute(request);
      if (step > 0) {
        request.advance(step);
        fruitless = 0;
      } else if (step == 0) {
        return -Errno.EIO;
      } else if (!worthAnotherTry(step) || ++fruitless > FRUITLESS_STEPS_MAX) {
        return step;
      }
    }
    return request.lengthBytes();
  }

  private static long flush(Backing backing, BlockRequest request) {
    // No retry: after a failed fsync the kernel marks the lost pages clean, and the next one lies.
    return Math.min(0, backing.execute(request));
  }

  private static boolean worthAnotherTry(long result) {
    return result == -Errno.EINTR || result == -Errno.EAGAIN;
  }
}
