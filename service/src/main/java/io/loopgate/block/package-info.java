/** The vocabulary of block I/O: operations, the request slot, result codes. Depends on nothing. */
@NullMarked
package io.loopgate.block;

import org.jspecify.annotations.NullMarked;
