/** Where engines meet Netty's loops: an eventfd on their epoll, a ring of theirs. */
@NullMarked
package io.loopgate.engine.netty;

import org.jspecify.annotations.NullMarked;
