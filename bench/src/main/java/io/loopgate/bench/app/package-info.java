/** The command line of the benchmarks. */
@NullMarked
package io.loopgate.bench.app;

import org.jspecify.annotations.NullMarked;
