@NullMarked
package io.loopgate.bench.files;

import org.jspecify.annotations.NullMarked;
