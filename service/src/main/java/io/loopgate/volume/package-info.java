/** Volumes: registry, life cycle, sequence, durability and range locks. */
@NullMarked
package io.loopgate.volume;

import org.jspecify.annotations.NullMarked;
