package io.loopgate.bench.stats;

/**
 * What a server and its client took besides processor time.
 *
 * @param residentMib memory of the server's processes at the end of the run
 * @param clientBusyPercent how much of the processors it may use the client took; near 100 the
 *     client was the limit
 */
public record ServerUse(double residentMib, double clientBusyPercent) {}
