/** The published figures, measured again. */
@NullMarked
package io.loopgate.bench.seed;

import org.jspecify.annotations.NullMarked;
