/** Turns the name of a backing into an open backing of the right kind. */
@NullMarked
package io.loopgate.backing.open;

import org.jspecify.annotations.NullMarked;
