/** Commands go to the kernel through io_uring: what the loop driver's aio mode and ublk do. */
@NullMarked
package io.loopgate.engine.uring;

import org.jspecify.annotations.NullMarked;
