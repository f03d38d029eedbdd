@NullMarked
package io.loopgate.bench.compare;

import org.jspecify.annotations.NullMarked;
