/** What is measured: patterns of access, the files beneath, and the named shapes. */
@NullMarked
package io.loopgate.bench.shape;

import org.jspecify.annotations.NullMarked;
