/** Facts about this machine, its processors and tools. */
@NullMarked
package io.loopgate.bench.machine;

import org.jspecify.annotations.NullMarked;
