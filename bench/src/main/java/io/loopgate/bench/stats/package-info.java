/** Measurements, medians and ratios of pairs. */
@NullMarked
package io.loopgate.bench.stats;

import org.jspecify.annotations.NullMarked;
