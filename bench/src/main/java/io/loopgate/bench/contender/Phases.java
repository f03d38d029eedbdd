package io.loopgate.bench.contender;

import java.time.Duration;

/**
 * The parts of a run.
 *
 * @param ramp at the start, not measured
 * @param measured what counts
 */
public record Phases(Duration ramp, Duration measured) {}
