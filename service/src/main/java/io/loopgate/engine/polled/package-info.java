/** Polling for ends instead of being told: the first try of dm, its final design, and hybrid. */
@NullMarked
package io.loopgate.engine.polled;

import org.jspecify.annotations.NullMarked;
