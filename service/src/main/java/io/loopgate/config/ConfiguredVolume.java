package io.loopgate.config;

import io.loopgate.backing.open.Backings;
import io.loopgate.volume.VolumeSettings;
import java.util.OptionalLong;

/**
 * A volume to serve from the start.
 *
 * @param settings everything about the volume
 * @param createSizeBytes the size of the sparse file to make when the backing is missing
 */
public record ConfiguredVolume(VolumeSettings settings, OptionalLong createSizeBytes) {
  /** Checks the size. */
  public ConfiguredVolume {
    if (createSizeBytes.isPresent() && createSizeBytes.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "size of volume " + settings.id() + " has to be more than 0");
    }
    if (createSizeBytes.isPresent() && !Backings.isPath(settings.backing())) {
      throw new IllegalArgumentException(
          "size of volume "
              + settings.id()
              + " makes a missing file, and "
              + settings.backing()
              + " is none; remove it");
    }
  }

  /** Returns a volume whose backing has to exist. */
  public static ConfiguredVolume existing(VolumeSettings settings) {
    return new ConfiguredVolume(settings, OptionalLong.empty());
  }

  /** Returns a volume whose file is made when it is missing. */
  public static ConfiguredVolume created(VolumeSettings settings, long sizeBytes) {
    return new ConfiguredVolume(settings, OptionalLong.of(sizeBytes));
  }
}
