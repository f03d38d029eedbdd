/** Regular files as backings, through the page cache or past it. */
@NullMarked
package io.loopgate.backing.file;

import org.jspecify.annotations.NullMarked;
