/** The data port: dispatch, ranges, preconditions, bodies and answers of the wire contract. */
@NullMarked
package io.loopgate.http;

import org.jspecify.annotations.NullMarked;
