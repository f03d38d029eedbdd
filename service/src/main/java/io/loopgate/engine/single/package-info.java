/** One thread, one queue: the loop driver up to Linux 3.19, and again from 4.4 to 5.13. */
@NullMarked
package io.loopgate.engine.single;

import org.jspecify.annotations.NullMarked;
