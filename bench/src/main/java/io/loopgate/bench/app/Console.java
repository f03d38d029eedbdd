package io.loopgate.bench.app;

import io.loopgate.bench.control.Stop;
import java.io.PrintWriter;

/**
 * Where a command was given, and where it answers.
 *
 * @param commandLine what the user wrote
 * @param stop the wish to stop
 * @param out for results
 * @param err for progress and complaints
 */
record Console(String commandLine, Stop stop, PrintWriter out, PrintWriter err) {}
