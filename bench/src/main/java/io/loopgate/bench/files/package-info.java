/** Makes the files that are measured, and takes them away again. */
@NullMarked
package io.loopgate.bench.files;

import org.jspecify.annotations.NullMarked;
