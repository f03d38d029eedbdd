@NullMarked
package io.loopgate.bench.app;

import org.jspecify.annotations.NullMarked;
