/** Several backings one behind the other: the counterpart of dm-linear. */
@NullMarked
package io.loopgate.backing.linear;

import org.jspecify.annotations.NullMarked;
