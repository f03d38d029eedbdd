package io.loopgate.http;

import io.loopgate.backing.BackingException;
import io.loopgate.block.Errno;
import io.loopgate.volume.RangeChecksum;
import io.loopgate.volume.VolumeException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the blocking part of a request on a control thread and comes back to its loop with the
 * outcome.
 */
final class BackgroundWork {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);

  private BackgroundWork() {}

  /**
   * Runs {@code work} on a control thread, then {@code then} on the exchange's loop.
   *
   * <p>What {@code work} throws is answered as an error; so is a control queue without room.
   */
  static <T> void run(Exchange exchange, Callable<T> work, Consumer<T> then) {
    Runnable task =
        () -> {
          try {
            T outcome = work.call();
            onLoop(exchange, () -> then.accept(outcome));
          } catch (Exception e) {
            Problem problem = problemOf(e);
            onLoop(exchange, () -> exchange.problem(problem));
          }
        };
    if (!exchange.loop().plane().control().tryRun(task)) {
      exchange.problem(
          Problem.retryLater(
              ProblemCode.OVERLOADED, "as much background work is waiting as there may be", 1));
    }
  }

  private static void onLoop(Exchange exchange, Runnable task) {
    exchange.loop().io().context().execute(() -> exchange.guard(task));
  }

  static Problem problemOf(Exception e) {
    return switch (e) {
      case ProblemException refused -> refused.problem();
      case VolumeException refused -> ofVolume(refused);
      case RangeChecksum.ChecksumReadException failed ->
          Problem.ofResult(-failed.errno(), failed.offsetBytes(), "the checksum was asked for");
      case BackingException failed when Errno.isNoSpace(-failed.errno()) ->
          Problem.of(ProblemCode.NO_SPACE, String.valueOf(failed.getMessage()));
      case BackingException refused when refused.errno() == Errno.EINVAL ->
          Problem.of(ProblemCode.BAD_REQUEST, String.valueOf(refused.getMessage()));
      case BackingException failed ->
          Problem.of(ProblemCode.IO_ERROR, String.valueOf(failed.getMessage()))
              .with("errno", Errno.name(failed.errno()));
      default -> {
        LOG.error("background work failed", e);
        yield Problem.of(
            ProblemCode.INTERNAL,
            "the server made a mistake; its log says more under this request's id");
      }
    };
  }

  private static Problem ofVolume(VolumeException e) {
    ProblemCode code =
        switch (e.kind()) {
          case INVALID -> ProblemCode.BAD_REQUEST;
          case PRECONDITION -> ProblemCode.PRECONDITION_FAILED;
          case NO_SUCH_VOLUME -> ProblemCode.NO_SUCH_VOLUME;
          case EXISTS -> ProblemCode.EXISTS;
          case IN_USE -> ProblemCode.IN_USE;
          case FORBIDDEN -> ProblemCode.FORBIDDEN;
          case IDEMPOTENCY_CONFLICT -> ProblemCode.IDEMPOTENCY_CONFLICT;
          case NO_SPACE -> ProblemCode.NO_SPACE;
          case FAILED -> ProblemCode.IO_ERROR;
        };
    return Problem.of(code, String.valueOf(e.getMessage()));
  }
}
