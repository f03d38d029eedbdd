package io.loopgate.admin;

import io.loopgate.telemetry.HttpTelemetry;

/**
 * Everything the admin port shows.
 *
 * @param source lifecycle, volumes and their counters
 * @param http the counters of the data port
 * @param loops the event loops whose standstill makes the process unhealthy
 * @param build what runs here
 */
public record AdminInputs(
    StatusSource source, HttpTelemetry http, LoopWatch loops, BuildInfo build) {}
