package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.compare.Timing;
import io.loopgate.bench.seed.ClaimResult;
import io.loopgate.bench.seed.Mail;
import io.loopgate.bench.seed.SeedResult;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Fill;
import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.ServerUse;
import io.loopgate.bench.stats.Spread;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report with one of everything, and texts that markup has to escape. */
final class ReportFixture {
  static final String NASTY = "a <b> & \"c\" \u0001";

  private ReportFixture() {}

  static Measurement run(long reads, CpuUse.Scope scope) {
    return new Measurement(
        2,
        reads,
        reads / 2,
        reads * 4096,
        reads * 2048,
        new Latency(10, 20, 30, 40),
        new CpuUse(0.5, 1, 0.25, scope),
        Map.of("read hit", reads));
  }

  static Comparison comparison() {
    return new Comparison(
        new Workload(
            "shape",
            new Target.Nothing(1 << 20),
            Access.of(Rw.RANDRW, 4096, 2, 3, false, Cache.HOT)),
        "single",
        List.of(
            row("single", 1000, CpuUse.Scope.PROCESS),
            row("uring", 3000, CpuUse.Scope.PROCESS),
            row("loopdev:direct", 500, CpuUse.Scope.MACHINE),
            new Row("aio", Row.State.UNAVAILABLE, NASTY, "", "", List.of()),
            new Row("inline", Row.State.FAILED, "READ failed with EIO", "", "", List.of())));
  }

  /** A comparison of servers, one of which nobody could look into. */
  static Comparison servers() {
    Workload workload =
        new Workload(
            "get4k-16",
            new Target.Image(1 << 20, Fill.WRITTEN, false),
            Access.of(Rw.RANDREAD, 4096, 1, 16, false, Cache.HOT),
            Optional.of(new Wire(Protocol.H1, false, 500, false)));
    Measurement seen =
        run(1000, CpuUse.Scope.SERVER)
            .withServer(new CpuUse(1, 2, 0, CpuUse.Scope.SERVER), new ServerUse(12.5, 80));
    return new Comparison(
        workload,
        "nginx",
        List.of(
            new Row("nginx", Row.State.MEASURED, "", "sendfile on", "", List.of(seen)),
            new Row(
                "remote",
                Row.State.MEASURED,
                "",
                "",
                "",
                List.of(run(2000, CpuUse.Scope.UNKNOWN).withCpu(CpuUse.NOT_SEEN)))));
  }

  private static Row row(String name, long reads, CpuUse.Scope scope) {
    return new Row(
        name,
        Row.State.MEASURED,
        "",
        name + ", asked for",
        "reads: yes; writes: no",
        List.of(run(reads, scope), run(reads * 2, scope), run(reads * 3, scope)));
  }

  static SeedResult seed() {
    Mail mail = new Mail("mail-2020", "Re: " + NASTY, "2020-01", "disk", "IOPS", Map.of("x", 1.0));
    return new SeedResult(
        mail,
        "table",
        comparison(),
        List.of(
            new ClaimResult(
                "new to old", "uring to single", "1.37", Optional.of(new Spread(3, 2.5, 3.5)), ""),
            new ClaimResult("new to raw", "aio to single", "below 1", Optional.empty(), NASTY)),
        List.of("caveat"));
  }

  static Report report(boolean interrupted) {
    return new Report(
        "loopgate bench " + NASTY,
        Instant.EPOCH,
        Map.of("processor", NASTY),
        new Timing(3, Duration.ofSeconds(1), Duration.ofMillis(5), Duration.ofSeconds(2)),
        interrupted,
        List.of(comparison()),
        List.of(seed()));
  }
}
