/** Where the bytes of a volume live: the contract that files, devices and memory fulfil. */
@NullMarked
package io.loopgate.backing;

import org.jspecify.annotations.NullMarked;
