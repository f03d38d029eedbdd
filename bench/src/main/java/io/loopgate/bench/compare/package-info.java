/** Runs contenders in turn, round by round. */
@NullMarked
package io.loopgate.bench.compare;

import org.jspecify.annotations.NullMarked;
