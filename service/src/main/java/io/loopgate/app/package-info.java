/** Main, command line, wiring, lifecycle order and signals. */
@NullMarked
package io.loopgate.app;

import org.jspecify.annotations.NullMarked;
