/** Tests against the built program, from outside. */
@NullMarked
package io.loopgate.it;

import org.jspecify.annotations.NullMarked;
