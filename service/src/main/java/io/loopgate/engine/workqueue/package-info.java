/**
 * As many threads as seem to be needed, of one pool for all: the blk-mq conversion of Linux 4.0.
 */
@NullMarked
package io.loopgate.engine.workqueue;

import org.jspecify.annotations.NullMarked;
