package io.loopgate.bench.seed;

import io.loopgate.bench.stats.Spread;
import java.util.Optional;

/**
 * What came of a claim.
 *
 * @param what the ratio in words
 * @param contenders the two that were compared
 * @param mailed the mail's ratio
 * @param measured the ratio here, or nothing if it could not be measured
 * @param reason why it could not
 */
public record ClaimResult(
    String what, String contenders, String mailed, Optional<Spread> measured, String reason) {}
