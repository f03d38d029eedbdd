/** Tables, JSON and one HTML page. */
@NullMarked
package io.loopgate.bench.report;

import org.jspecify.annotations.NullMarked;
