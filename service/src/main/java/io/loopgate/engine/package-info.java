/**
 * Where and when commands run: the engine contract, its providers and what the strategies share.
 */
@NullMarked
package io.loopgate.engine;

import org.jspecify.annotations.NullMarked;
