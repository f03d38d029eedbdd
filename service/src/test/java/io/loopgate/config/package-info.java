@NullMarked
package io.loopgate.config;

import org.jspecify.annotations.NullMarked;
