@NullMarked
package io.loopgate.bench.http;

import org.jspecify.annotations.NullMarked;
