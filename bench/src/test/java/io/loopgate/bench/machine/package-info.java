@NullMarked
package io.loopgate.bench.machine;

import org.jspecify.annotations.NullMarked;
