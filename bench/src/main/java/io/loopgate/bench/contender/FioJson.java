package io.loopgate.bench.contender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Reads what fio prints as {@code json+}, of one group of jobs. */
final class FioJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double MILLIS = 1e3;
  private static final double PERCENT = 100;
  private static final int DIGITS = 3;

  private FioJson() {}

  /**
   * Reads a report.
   *
   * @throws IllegalArgumentException if it is none, or tells of an error of a job
   */
  static Measurement parse(String text) {
    JsonNode job = job(text);
    int error = job.path("error").asInt();
    if (error != 0) {
      throw new IllegalArgumentException("fio ended with error " + error);
    }
    JsonNode read = job.path("read");
    JsonNode write = job.path("write");
    double seconds =
        Math.max(read.path("runtime").asDouble(), write.path("runtime").asDouble()) / MILLIS;
    Histogram latencies = new Histogram(DIGITS);
    addBins(latencies, read);
    addBins(latencies, write);
    return new Measurement(
        seconds,
        read.path("total_ios").asLong(),
        write.path("total_ios").asLong(),
        read.path("io_bytes").asLong(),
        write.path("io_bytes").asLong(),
        latency(latencies, read, write),
        cpu(job),
        Map.of());
  }

  /** Warnings may stand before the report. */
  private static JsonNode job(String text) {
    int start = text.startsWith("{") ? 0 : text.indexOf("\n{") + 1;
    try {
      JsonNode jobs = MAPPER.readTree(text.substring(start)).path("jobs");
      if (jobs.size() == 1) {
        return jobs.path(0);
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("fio's report is no JSON: " + e.getOriginalMessage(), e);
    }
    throw new IllegalArgumentException("fio's report has no group of jobs");
  }

  /** The only way to the percentiles of both directions together. */
  private static void addBins(Histogram latencies, JsonNode direction) {
    for (Map.Entry<String, JsonNode> bin : direction.path("lat_ns").path("bins").properties()) {
      latencies.recordValueWithCount(Long.parseLong(bin.getKey()), bin.getValue().asLong());
    }
  }

  /** A bin has the value of its middle; the greatest is known exactly. */
  private static Latency latency(Histogram latencies, JsonNode read, JsonNode write) {
    Latency binned = Latency.of(latencies);
    double max = Math.max(maxNanos(read), maxNanos(write)) / 1e3;
    return new Latency(binned.p50Micros(), binned.p99Micros(), binned.p999Micros(), max);
  }

  private static double maxNanos(JsonNode direction) {
    return direction.path("lat_ns").path("max").asDouble();
  }

  /** The percentages are of the time that all jobs ran together. */
  private static CpuUse cpu(JsonNode job) {
    double jobSeconds = job.path("job_runtime").asDouble() / MILLIS;
    return new CpuUse(
        job.path("usr_cpu").asDouble() / PERCENT * jobSeconds,
        job.path("sys_cpu").asDouble() / PERCENT * jobSeconds,
        0,
        CpuUse.Scope.JOBS);
  }
}
