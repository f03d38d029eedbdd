package io.loopgate.bench.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.machine.Tool;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** wrk, with the scripts beside the benchmarks: a client that everybody knows. */
final class WrkClient implements Client {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SUMMARY = "summary ";

  private final Path scripts;
  private final int processors;

  /**
   * Creates one.
   *
   * @param scripts the folder of the scripts
   * @param processors how many wrk has
   */
  WrkClient(Path scripts, int processors) {
    this.scripts = scripts;
    this.processors = processors;
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    Wire wire = workload.wire().orElseThrow();
    Rw rw = workload.access().rw();
    if (wire.protocol() != Protocol.H1 || wire.isOpen() || wire.whole()) {
      return Optional.of("wrk only has HTTP/1.1, requests one after the other, and ranges here");
    }
    if (rw != Rw.RANDREAD && rw != Rw.RANDWRITE) {
      return Optional.of("wrk has scripts for randread and randwrite, not for " + rw.word());
    }
    return Programs.find("wrk").isEmpty() ? Optional.of("there is no wrk here") : Optional.empty();
  }

  @Override
  public Outcome run(Workload workload, RunningPeer server, Phases phases, long seed, Stop stop) {
    if (!(workload.target() instanceof Target.Image image)) {
      return new Outcome.Unavailable("servers need one file");
    }
    ProcessHandle process = server.process().handle();
    CpuUse before = ProcessCpu.of(process);
    ChildCpu client = new ChildCpu(processors);
    Tool.Result result =
        Tool.run(command(workload, server.url(), image.sizeBytes(), phases, seed), stop);
    if (stop.isRequested()) {
      return new Outcome.Interrupted();
    }
    if (result.code() != 0) {
      return new Outcome.Failed("wrk: " + result.firstErrorLine());
    }
    try {
      CpuUse cpu = ProcessCpu.of(process).since(before);
      Measurement measurement = parse(result.out(), workload.access());
      return new Outcome.Measured(
          measurement.withServer(cpu, client.use(measurement.seconds(), process)),
          "loaded by wrk",
          "");
    } catch (IllegalArgumentException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private List<String> command(
      Workload workload, String url, long sizeBytes, Phases phases, long seed) {
    Access access = workload.access();
    boolean reads = access.rw().reads();
    boolean durable = workload.wire().orElseThrow().durable();
    return List.of(
        "wrk",
        "-t" + Math.min(processors, access.jobs()),
        "-c" + access.jobs(),
        // It counts in whole seconds.
        "-d" + Math.max(1, phases.measured().plusMillis(999).toSeconds()) + "s",
        "--timeout",
        "30s",
        "-s",
        scripts.resolve(reads ? "random-get.lua" : "random-put.lua").toString(),
        reads ? url : url + (durable ? "?flush=y" : "?flush=n"),
        "--",
        Integer.toString(access.blockBytesMin()),
        Long.toString(sizeBytes / access.blockBytesMin()),
        Long.toString(seed + 1));
  }

  /**
   * Reads what the scripts print in the end.
   *
   * @throws IllegalArgumentException if it is not there, or tells of errors
   */
  static Measurement parse(String out, Access access) {
    String line =
        out.lines()
            .filter(each -> each.startsWith(SUMMARY))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("wrk said nothing that counts"));
    JsonNode summary;
    try {
      summary = MAPPER.readTree(line.substring(SUMMARY.length()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("wrk's summary is no JSON: " + line, e);
    }
    long errors = summary.path("errors").asLong();
    if (errors > 0) {
      throw new IllegalArgumentException("wrk counted " + errors + " errors");
    }
    long requests = summary.path("requests").asLong();
    long bytes = requests * access.blockBytesMin();
    boolean reads = access.rw().reads();
    return new Measurement(
        summary.path("seconds").asDouble(),
        reads ? requests : 0,
        reads ? 0 : requests,
        reads ? bytes : 0,
        reads ? 0 : bytes,
        new Latency(
            summary.path("p50Micros").asDouble(),
            summary.path("p99Micros").asDouble(),
            summary.path("p999Micros").asDouble(),
            summary.path("maxMicros").asDouble()),
        CpuUse.NOT_SEEN,
        Map.of());
  }
}
