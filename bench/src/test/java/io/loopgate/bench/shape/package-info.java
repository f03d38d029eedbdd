@NullMarked
package io.loopgate.bench.shape;

import org.jspecify.annotations.NullMarked;
