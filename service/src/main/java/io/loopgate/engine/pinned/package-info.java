/** A file proven private, whole and written: then the kernel has nothing to decide. */
@NullMarked
package io.loopgate.engine.pinned;

import org.jspecify.annotations.NullMarked;
