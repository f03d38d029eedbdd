/** Block devices as backings. */
@NullMarked
package io.loopgate.backing.blockdev;

import org.jspecify.annotations.NullMarked;
