@NullMarked
package io.loopgate.bench.peer;

import org.jspecify.annotations.NullMarked;
