/** Several threads on one queue: the multiple-workers patch of 2020. */
@NullMarked
package io.loopgate.engine.workers;

import org.jspecify.annotations.NullMarked;
