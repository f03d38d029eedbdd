/** What a user configures: flags, variables and YAML, parsed once into records. */
@NullMarked
package io.loopgate.config;

import org.jspecify.annotations.NullMarked;
