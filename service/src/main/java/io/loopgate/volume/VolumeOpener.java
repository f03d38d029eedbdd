package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.OpenOptions;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopContext;
import io.loopgate.telemetry.VolumeTelemetry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiFunction;

/** Puts backing, engine and layers together. For control threads. */
public final class VolumeOpener {
  /**
   * Commands that belong to requests already admitted, such as the flush of a group, find room
   * behind them.
   */
  private static final int QUEUE_RESERVE = 64;

  private static final int INCARNATION_BYTES = 8;

  private final BiFunction<String, OpenOptions, Backing> backings;
  private final EngineSelector engines;
  private final List<LoopContext> loops;
  private final boolean unsafeInline;
  private final SecureRandom random = new SecureRandom();

  /**
   * Creates an opener.
   *
   * @param backings opens a backing by its name; throws {@link
   *     io.loopgate.backing.BackingException}
   * @param loops the event loops that will submit
   * @param unsafeInline whether blocking calls on event loops are allowed
   */
  public VolumeOpener(
      BiFunction<String, OpenOptions, Backing> backings,
      EngineSelector engines,
      List<LoopContext> loops,
      boolean unsafeInline) {
    this.backings = backings;
    this.engines = engines;
    this.loops = List.copyOf(loops);
    this.unsafeInline = unsafeInline;
  }

  /**
   * Opens a volume.
   *
   * @throws io.loopgate.backing.BackingException if the backing cannot be opened
   * @throws VolumeException if the engine cannot run on it
   */
  public Volume open(VolumeSettings settings) {
    Backing backing =
        backings.apply(
            settings.backing(),
            new OpenOptions(settings.readOnly(), settings.direct(), settings.blockSizeBytes()));
    try {
      VolumeTelemetry telemetry = new VolumeTelemetry(settings.id());
      RunningEngine running = start(settings, backing, telemetry);
      return new Volume(settings, backing, running, telemetry, incarnation(backing));
    } catch (RuntimeException e) {
      backing.close();
      throw e;
    }
  }

  /** Checks an engine's name; throws {@link VolumeException} naming the valid ones. */
  void checkEngine(String text) {
    try {
      engines.check(text);
    } catch (IllegalArgumentException e) {
      throw new VolumeException(VolumeException.Kind.INVALID, message(e));
    }
  }

  /** Tells whether an engine wants nothing else to run while it opens, and the size kept. */
  boolean pinsFile(String engine) {
    return engines.pinsFile(engine);
  }

  /** Opens the engine of these settings on a backing that is open already. */
  RunningEngine start(VolumeSettings settings, Backing backing, VolumeTelemetry telemetry) {
    BlockingWrites blockingWrites = new BlockingWrites();
    EngineEnvironment environment =
        new EngineEnvironment(
            settings.id(),
            backing,
            settings.limits().maxInFlight() + QUEUE_RESERVE,
            unsafeInline,
            loops,
            telemetry,
            settings.options(),
            blockingWrites);
    try {
      return EngineStack.open(engines, settings.engine(), settings.nowait(), environment);
    } catch (IllegalArgumentException e) {
      throw new VolumeException(
          VolumeException.Kind.INVALID, "volume " + settings.id() + ": " + message(e));
    }
  }

  private String incarnation(Backing backing) {
    byte[] name = new byte[INCARNATION_BYTES];
    if (backing.readOnly()) {
      byte[] digest = sha256(backing.identity());
      System.arraycopy(digest, 0, name, 0, name.length);
    } else {
      random.nextBytes(name);
    }
    return HexFormat.of().formatHex(name);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String message(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }
}
