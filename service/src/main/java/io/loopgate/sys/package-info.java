/**
 * System calls of Linux, bound with {@code java.lang.foreign}, and a refusing twin for everywhere
 * else. Of the rest of the program it knows the error numbers only.
 */
@NullMarked
package io.loopgate.sys;

import org.jspecify.annotations.NullMarked;
