@NullMarked
package io.loopgate.bench.load;

import org.jspecify.annotations.NullMarked;
