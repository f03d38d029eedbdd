/**
 * What backings share that are open files of the kernel: opening, positional transfers, zeroing,
 * direct I/O.
 */
@NullMarked
package io.loopgate.backing.fd;

import org.jspecify.annotations.NullMarked;
