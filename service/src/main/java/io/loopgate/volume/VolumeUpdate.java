package io.loopgate.volume;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a client wants changed in a volume; what is empty stays.
 *
 * @param sizeBytes the new size
 * @param allowShrink whether it may be smaller than the old one
 * @param readOnly whether writes are to be refused
 * @param engine the engine to switch to
 * @param options how the engine is to run
 * @param limits what clients are granted
 */
public record VolumeUpdate(
    OptionalLong sizeBytes,
    boolean allowShrink,
    Optional<Boolean> readOnly,
    Optional<String> engine,
    EngineOptionsUpdate options,
    Optional<VolumeLimits> limits) {}
