/** Jobs that keep commands in flight on event loops, and what they measure. */
@NullMarked
package io.loopgate.bench.load;

import org.jspecify.annotations.NullMarked;
