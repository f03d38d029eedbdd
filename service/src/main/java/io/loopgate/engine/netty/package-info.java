/**
 * Where engines meet Netty's event loops; the only place below the HTTP layer that knows Netty. All
 * else sees an event loop as a {@link io.loopgate.engine.LoopContext}.
 */
@NullMarked
package io.loopgate.engine.netty;

import org.jspecify.annotations.NullMarked;
