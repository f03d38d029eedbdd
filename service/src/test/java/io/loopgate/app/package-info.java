@NullMarked
package io.loopgate.app;

import org.jspecify.annotations.NullMarked;
