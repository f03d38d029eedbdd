@NullMarked
package io.loopgate.bench.stats;

import org.jspecify.annotations.NullMarked;
