/** Servers of this build and of others, started to be compared. */
@NullMarked
package io.loopgate.bench.peer;

import org.jspecify.annotations.NullMarked;
