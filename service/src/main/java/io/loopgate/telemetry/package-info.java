/** Counters and histograms of the data path, written by any thread and read at a scrape. */
@NullMarked
package io.loopgate.telemetry;

import org.jspecify.annotations.NullMarked;
