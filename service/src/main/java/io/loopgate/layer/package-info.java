/** Wrappers around an engine with the same verbs: the NOWAIT-first path, limits, meters. */
@NullMarked
package io.loopgate.layer;

import org.jspecify.annotations.NullMarked;
