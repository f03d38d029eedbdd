package io.loopgate.http;

import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.volume.ControlThreads;
import io.loopgate.volume.VolumeRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all event loops of the data port share. Thread-safe.
 *
 * @param options the bounds
 * @param volumes the volumes
 * @param control where blocking work goes
 * @param telemetry the counters
 * @param version the product's version
 * @param draining whether new requests are refused, as the process is about to end
 * @param connections how many clients are connected
 * @param loops how many event loops share the buffer budget
 * @param express where the sockets of these loops find them
 */
public record DataPlane(
    DataPlaneOptions options,
    VolumeRegistry volumes,
    ControlThreads control,
    HttpTelemetry telemetry,
    String version,
    AtomicBoolean draining,
    AtomicInteger connections,
    int loops,
    ExpressRegistry express) {
  /** Returns all problem codes, for counters that exist before the first error. */
  public static List<String> problemCodes() {
    return ProblemCode.codes();
  }
}
