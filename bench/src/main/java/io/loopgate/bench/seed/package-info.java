/** The figures that five mails to kernel lists published, measured again on engines of today. */
@NullMarked
package io.loopgate.bench.seed;

import org.jspecify.annotations.NullMarked;
