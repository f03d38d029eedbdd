/**
 * End-to-end tests: the packaged server in a process of its own, driven by the tools people use.
 *
 * <p>A tool that is missing skips its test with the name of the package that has it; with {@code
 * CI=true} it fails the test instead.
 */
@NullMarked
package io.loopgate.it;

import org.jspecify.annotations.NullMarked;
