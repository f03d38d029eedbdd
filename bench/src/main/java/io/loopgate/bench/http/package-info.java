/** A load generator for servers that speak HTTP. */
@NullMarked
package io.loopgate.bench.http;

import org.jspecify.annotations.NullMarked;
