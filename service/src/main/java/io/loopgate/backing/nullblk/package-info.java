/** A backing that keeps nothing: the counterpart of null_blk, for measuring all that is above. */
@NullMarked
package io.loopgate.backing.nullblk;

import org.jspecify.annotations.NullMarked;
