@NullMarked
package io.loopgate.bench.report;

import org.jspecify.annotations.NullMarked;
