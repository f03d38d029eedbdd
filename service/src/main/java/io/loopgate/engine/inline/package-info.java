/** The caller does the work itself: loop_queue_work() called from loop_queue_rq(), 2014. */
@NullMarked
package io.loopgate.engine.inline;

import org.jspecify.annotations.NullMarked;
