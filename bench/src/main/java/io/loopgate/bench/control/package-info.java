/** What a benchmark under way is steered with. */
@NullMarked
package io.loopgate.bench.control;

import org.jspecify.annotations.NullMarked;
