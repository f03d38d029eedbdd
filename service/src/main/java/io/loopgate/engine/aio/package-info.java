/**
 * Native asynchronous I/O submitted from the event loop, first without waiting: the loop driver's
 * direct mode (4.4) and its NOWAIT-first series (2025).
 */
@NullMarked
package io.loopgate.engine.aio;

import org.jspecify.annotations.NullMarked;
