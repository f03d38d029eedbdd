package io.loopgate.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.block.BlockRequest;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Durability;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.Mutation;
import io.loopgate.volume.Volume;
import java.util.Set;

/** Changes without a payload: PATCH of data, DELETE of blocks, POST of flush. Stateless. */
final class ChangeHandler {
  private static final Set<String> MEMBERS = Set.of("op", "offset", "size", "flush", "unmap");

  private enum Op {
    ZERO,
    DISCARD,
    FLUSH
  }

  /** A range to zero or discard, and how to answer. */
  private record Change(
      Op op, long offsetBytes, long sizeBytes, boolean mayUnmap, boolean durable, int status) {}

  private ChangeHandler() {}

  /** PATCH /data. */
  static void patch(Exchange exchange, Volume volume) {
    SmallBody.collect(
        exchange,
        body -> {
          Change change = parse(body, volume);
          if (change.op() == Op.FLUSH) {
            flush(exchange, volume);
          } else {
            change(exchange, volume, change);
          }
        });
  }

  private static Change parse(byte[] body, Volume volume) {
    try {
      ObjectNode json = Json.readObject(body, MEMBERS);
      Op op =
          switch (Json.required(Json.text(json, "op"), "op")) {
            case "zero" -> Op.ZERO;
            case "discard" -> Op.DISCARD;
            case "flush" -> Op.FLUSH;
            default -> throw new Json.BadJson("\"op\" has to be zero, discard or flush");
          };
      boolean durable = Json.bool(json, "flush").orElse(volume.durability() == Durability.DURABLE);
      boolean mayUnmap = Json.bool(json, "unmap").orElse(true);
      if (op == Op.FLUSH) {
        Json.number(json, "offset");
        Json.number(json, "size");
        return new Change(op, 0, 0, mayUnmap, true, 200);
      }
      return new Change(
          op,
          Json.required(Json.number(json, "offset"), "offset"),
          Json.required(Json.number(json, "size"), "size"),
          mayUnmap,
          durable,
          200);
    } catch (Json.BadJson e) {
      throw ProblemException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  /** DELETE of a window: discard, 204. */
  static void discard(Exchange exchange, Volume volume, long offset, long length, boolean durable) {
    change(exchange, volume, new Change(Op.DISCARD, offset, length, true, durable, 204));
  }

  private static void change(Exchange exchange, Volume volume, Change change) {
    exchange.kind(change.op() == Op.ZERO ? RequestKind.ZERO : RequestKind.DISCARD);
    long size = volume.sizeBytes();
    if (change.offsetBytes() > size || change.sizeBytes() > size - change.offsetBytes()) {
      throw new ProblemException(
          Problem.unsatisfiable(
              "the range reaches past the end of the volume; nothing was changed", size));
    }
    refuseMisaligned(volume, change);
    WriteHandler.refuseChange(exchange, volume);
    long timeoutMillis = Deadline.timeoutMillis(exchange);
    exchange.enter(volume, 0);
    if (change.sizeBytes() == 0) {
      ChangeAnswer.fields(exchange, volume, volume.currentSequence(), false);
      exchange.empty(change.status());
      return;
    }
    run(exchange, volume, change, timeoutMillis);
  }

  private static void refuseMisaligned(Volume volume, Change change) {
    WriteHandler.misalignment(volume, change.offsetBytes(), change.sizeBytes())
        .ifPresent(
            problem -> {
              throw new ProblemException(problem);
            });
  }

  private static long deadlineNanos(long timeoutMillis) {
    return timeoutMillis == 0
        ? BlockRequest.NO_DEADLINE
        : System.nanoTime() + timeoutMillis * 1_000_000;
  }

  private static void run(Exchange exchange, Volume volume, Change change, long timeoutMillis) {
    Mutation mutation = begin(exchange, volume, deadlineNanos(timeoutMillis));
    TimedAnswer answer = new TimedAnswer(exchange, volume, change.offsetBytes(), timeoutMillis);
    IoHandler whenChanged =
        result -> {
          if (result < 0) {
            mutation.abandon();
            answer.failed(result);
            return;
          }
          mutation.finish(
              change.durable(),
              (flushed, sequence, durable) -> {
                if (flushed < 0) {
                  answer.failed(flushed);
                } else {
                  answer.done(change.status(), sequence, durable);
                }
              });
        };
    if (change.op() == Op.ZERO) {
      mutation.zero(change.offsetBytes(), change.sizeBytes(), change.mayUnmap(), whenChanged);
    } else {
      mutation.discard(change.offsetBytes(), change.sizeBytes(), whenChanged);
    }
  }

  private static Mutation begin(Exchange exchange, Volume volume, long deadlineNanos) {
    String condition = exchange.list(Fields.IF_MATCH);
    if (condition == null || condition.strip().equals("*")) {
      return volume.beginMutation(exchange.loop().io(), deadlineNanos);
    }
    long expected = volume.currentSequence();
    if (EntityTags.matchesStrongly(condition, volume.tag(expected)) && volume.beginIf(expected)) {
      return volume.resume(exchange.loop().io(), deadlineNanos);
    }
    throw new ProblemException(
        ReadHandler.preconditionFailed(volume.tag(volume.currentSequence())));
  }

  /** POST /flush, and PATCH with op flush. */
  static void flush(Exchange exchange, Volume volume) {
    exchange.kind(RequestKind.FLUSH);
    long timeoutMillis = Deadline.timeoutMillis(exchange);
    exchange.enter(volume, 0);
    TimedAnswer answer = new TimedAnswer(exchange, volume, 0, timeoutMillis);
    volume.flush(
        exchange.loop().io(),
        result -> {
          if (result < 0) {
            answer.failed(result);
          } else {
            answer.done(200, volume.currentSequence(), volume.stable().available());
          }
        });
  }
}
