@NullMarked
package io.loopgate.bench.contender;

import org.jspecify.annotations.NullMarked;
