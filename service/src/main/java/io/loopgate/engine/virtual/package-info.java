/** A virtual thread per command, to compare with: the kernel has no counterpart. */
@NullMarked
package io.loopgate.engine.virtual;

import org.jspecify.annotations.NullMarked;
