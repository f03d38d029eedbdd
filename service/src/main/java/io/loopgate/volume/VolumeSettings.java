package io.loopgate.volume;

import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import java.util.regex.Pattern;

/**
 * Everything a user decides about one volume.
 *
 * @param id a DNS label
 * @param backing what serves it, by a name that {@link io.loopgate.backing.open.Backings} knows
 * @param engine the engine as users write it, such as {@code workers:4}, or {@code auto}
 * @param options how the engine is to run
 * @param nowait whether commands are first tried without waiting
 * @param direct whether transfers are to go past the page cache; what came of it tells {@link
 *     Volume#isDirect}
 * @param readOnly whether writes are refused
 * @param durability what a successful write means
 * @param blockSizeBytes 512 or 4096
 * @param alignment what happens to unaligned writes
 * @param limits what clients are granted
 */
public record VolumeSettings(
    String id,
    String backing,
    String engine,
    EngineOptions options,
    NowaitMode nowait,
    DirectIo direct,
    boolean readOnly,
    Durability durability,
    int blockSizeBytes,
    AlignmentPolicy alignment,
    VolumeLimits limits) {
  /** What a volume id looks like: a DNS label. */
  public static final Pattern ID = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /** The block size of a volume unless told otherwise. */
  public static final int DEFAULT_BLOCK_SIZE_BYTES = 512;

  /** Checks what can be checked without opening anything; the message names the member. */
  public VolumeSettings {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id \"" + id + "\" is not a DNS label: a-z, 0-9 and inner hyphens, 1 to 63 characters");
    }
    if (backing.isBlank()) {
      throw new IllegalArgumentException("backing of volume " + id + " is empty: name a path");
    }
    if (blockSizeBytes != 512 && blockSizeBytes != 4096) {
      throw new IllegalArgumentException(
          "blockSize of volume " + id + " has to be 512 or 4096, not " + blockSizeBytes);
    }
  }

  /** Returns settings for this backing with everything else at its default. */
  public static VolumeSettings of(String id, String backing) {
    return new VolumeSettings(
        id,
        backing,
        "auto",
        EngineOptions.DEFAULT,
        NowaitMode.AUTO,
        DirectIo.AUTO,
        false,
        Durability.DURABLE,
        DEFAULT_BLOCK_SIZE_BYTES,
        AlignmentPolicy.ANY,
        VolumeLimits.DEFAULT);
  }

  /** Returns the same with another engine. */
  public VolumeSettings withEngine(String newEngine) {
    return new VolumeSettings(
        id,
        backing,
        newEngine,
        options,
        nowait,
        direct,
        readOnly,
        durability,
        blockSizeBytes,
        alignment,
        limits);
  }

  /** Returns the same with another way to run the engine. */
  public VolumeSettings withOptions(EngineOptions newOptions) {
    return new VolumeSettings(
        id,
        backing,
        engine,
        newOptions,
        nowait,
        direct,
        readOnly,
        durability,
        blockSizeBytes,
        alignment,
        limits);
  }

  /** Returns the same, read-only or not. */
  public VolumeSettings withReadOnly(boolean newReadOnly) {
    return new VolumeSettings(
        id,
        backing,
        engine,
        options,
        nowait,
        direct,
        newReadOnly,
        durability,
        blockSizeBytes,
        alignment,
        limits);
  }

  /** Returns the same with other limits. */
  public VolumeSettings withLimits(VolumeLimits newLimits) {
    return new VolumeSettings(
        id,
        backing,
        engine,
        options,
        nowait,
        direct,
        readOnly,
        durability,
        blockSizeBytes,
        alignment,
        newLimits);
  }
}
