package io.loopgate.admin;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;

/**
 * All metrics of the process: those of the JVM by Micrometer, ours read at a scrape.
 *
 * <p>{@link #scrape} may block and belongs on a worker.
 */
final class AdminMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final TelemetryCollector collector;

  AdminMetrics(AdminInputs inputs, VolumeSampler sampler) {
    registry.throwExceptionOnRegistrationFailure();
    // Before the first meter: a filter does not reach those that exist.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    gc.bindTo(registry);
    // Buffer pools are among the memory metrics, the start time of the process is in the uptime.
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    bindProcessor();
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    collector = new TelemetryCollector(inputs, sampler);
    registry.getPrometheusRegistry().register(collector);
  }

  /** Tells processor time in seconds, the base unit; the binder has it in nanoseconds. */
  private void bindProcessor() {
    new ProcessorMetrics().bindTo(registry);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, bean -> bean.getProcessCpuTime() / 1e9)
          .baseUnit("seconds")
          .description("Processor time of the process.")
          .register(registry);
    }
  }

  /** Returns every metric as text. */
  Buffer scrape(Exposition format) {
    long begun = System.nanoTime();
    ByteArrayOutputStream text = new ByteArrayOutputStream(64 * 1024);
    try {
      registry.scrape(text, format.contentType());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    collector.scrapeTook((System.nanoTime() - begun) / 1e9);
    return Buffer.buffer(text.toByteArray());
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
