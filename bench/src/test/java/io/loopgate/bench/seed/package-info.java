@NullMarked
package io.loopgate.bench.seed;

import org.jspecify.annotations.NullMarked;
