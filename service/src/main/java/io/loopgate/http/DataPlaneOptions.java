package io.loopgate.http;

import java.time.Duration;

/**
 * The bounds of the data port.
 *
 * @param host the address to listen on
 * @param port the port, 0 for any
 * @param maxHeldBytes the longest body that is held until it is checked
 * @param maxBufferBytes how many payload bytes all requests may have in memory together
 * @param maxConnections how many clients may be connected; more are closed at once
 * @param maxLoopCommands how many commands an event loop may have in flight over all volumes
 * @param maxHeaderBytes how long the header of a request may be
 * @param idleTimeout after how long a connection without a request is closed
 * @param stallTimeout after how long a transfer whose client stands still is cut
 */
public record DataPlaneOptions(
    String host,
    int port,
    int maxHeldBytes,
    long maxBufferBytes,
    int maxConnections,
    int maxLoopCommands,
    int maxHeaderBytes,
    Duration idleTimeout,
    Duration stallTimeout) {}
