/** Memory as a backing: the counterpart of brd, the RAM disk of the kernel. */
@NullMarked
package io.loopgate.backing.ram;

import org.jspecify.annotations.NullMarked;
