/** The second port: metrics, health and the status page; framework types may be used here. */
@NullMarked
package io.loopgate.admin;

import org.jspecify.annotations.NullMarked;
