/** What is compared: engines of this build, fio, the kernel's loop device. */
@NullMarked
package io.loopgate.bench.contender;

import org.jspecify.annotations.NullMarked;
