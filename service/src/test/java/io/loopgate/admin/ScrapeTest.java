package io.loopgate.admin;

import static io.loopgate.admin.AdminFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.LoopTelemetry;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ScrapeTest {
  private static final String OPEN_METRICS =
      "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";

  private final AdminFixture admin = new AdminFixture();

  @AfterEach
  void close() {
    admin.close();
  }

  @Test
  void countersTellWhatHappened() {
    VolumeTelemetry disk = admin.source.volume("disk0");
    disk.commandEnded(BlockOp.READ, 4096);
    disk.commandEnded(BlockOp.WRITE, -5);
    disk.nowait(BlockOp.READ, NowaitOutcome.HIT);
    disk.flushEnded(2_000_000, 7, true);
    disk.queueWaitNanos(7_000);
    disk.merged(5);
    disk.polled(2);
    disk.polled(0);
    admin.http.requestStarted();
    admin.http.requestStarted();
    admin.http.requestEnded(RequestKind.READ, 206, 300_000);
    admin.http.received(11);
    admin.http.sent(4096);
    admin.http.held(100);
    admin.http.connection(1);
    admin.http.rejected("overloaded");
    LoopTelemetry loop = admin.http.addLoop(1, 100);
    loop.commands(7);
    loop.commandRefused();

    assertThat(samples(admin.get("/metrics")))
        .contains(
            "loopgate_io_operations_total{op=\"read\",volume=\"disk0\"} 1.0",
            "loopgate_io_bytes_total{op=\"read\",volume=\"disk0\"} 4096.0",
            "loopgate_io_errors_total{op=\"write\",volume=\"disk0\"} 1.0",
            "loopgate_io_errors_total{op=\"discard\",volume=\"disk0\"} 0.0",
            "loopgate_io_fastpath_total{op=\"read\",result=\"hit\",volume=\"disk0\"} 1.0",
            "loopgate_io_fastpath_total{op=\"write\",result=\"demoted\",volume=\"disk0\"} 0.0",
            "loopgate_io_merged_total{volume=\"disk0\"} 5.0",
            "loopgate_io_polls_total{volume=\"disk0\"} 2.0",
            "loopgate_io_polled_total{volume=\"disk0\"} 2.0",
            "loopgate_sync_total{volume=\"disk0\"} 1.0",
            "loopgate_sync_writes_total{volume=\"disk0\"} 7.0",
            "loopgate_sync_errors_total{volume=\"disk0\"} 1.0",
            "loopgate_sync_duration_seconds_bucket{le=\"0.0025\"} 1",
            "loopgate_sync_duration_seconds_bucket{le=\"0.001\"} 0",
            "loopgate_io_queue_wait_seconds_bucket{le=\"+Inf\"} 1",
            "loopgate_io_queue_wait_seconds_sum 7.0E-6",
            "loopgate_requests_total{code_class=\"2xx\",op=\"read\"} 1.0",
            "loopgate_requests_total{code_class=\"none\",op=\"write\"} 0.0",
            "loopgate_request_duration_seconds_bucket{op=\"read\",le=\"5.0E-4\"} 1",
            "loopgate_request_duration_seconds_count{op=\"flush\"} 0",
            "loopgate_requests_in_flight 1.0",
            "loopgate_request_bytes_total{direction=\"in\"} 11.0",
            "loopgate_request_bytes_total{direction=\"out\"} 4096.0",
            "loopgate_held_bytes 100.0",
            "loopgate_connections_open 1.0",
            "loopgate_rejected_total{reason=\"overloaded\"} 1.0",
            "loopgate_rejected_total{reason=\"draining\"} 0.0",
            "loopgate_event_loop_commands{loop=\"0\"} 0.0",
            "loopgate_event_loop_commands{loop=\"1\"} 7.0",
            "loopgate_event_loop_commands_limit{loop=\"1\"} 100.0",
            "loopgate_event_loop_commands_refused_total{loop=\"1\"} 1.0");
  }

  @Test
  void gaugesTellHowThingsStand() {
    admin.source.volume("disk0", "x".repeat(500));
    admin.source.volumes.add(FakeSource.status("disk1", "", "draining", true));
    admin.source.lifecycle = Lifecycle.DRAINING;

    List<String> samples = samples(admin.get("/metrics"));
    assertThat(samples)
        .contains(
            "loopgate_ready 0.0",
            "loopgate_draining 1.0",
            "loopgate_volume_size_bytes{volume=\"disk0\"} 1.073741824E9",
            "loopgate_volume_allocated_bytes{volume=\"disk0\"} 4096.0",
            "loopgate_queue_depth{volume=\"disk0\"} 3.0",
            "loopgate_volume_in_flight{volume=\"disk0\"} 5.0",
            "loopgate_volume_in_flight_limit{volume=\"disk0\"} 128.0",
            "loopgate_volume_state{state=\"open\",volume=\"disk0\"} 1.0",
            "loopgate_volume_state{state=\"draining\",volume=\"disk0\"} 0.0",
            "loopgate_volume_state{state=\"draining\",volume=\"disk1\"} 1.0",
            "loopgate_volume_poisoned{volume=\"disk1\"} 1.0",
            "loopgate_io_operations_total{op=\"read\",volume=\"disk1\"} 0.0",
            "loopgate_build_info{java=\"25\",netty=\"4.2.18\",revision=\"abc\",version=\"1.2.3\","
                + "vertx=\"5.1.6\"} 1");
    assertThat(samples)
        .anyMatch(
            line ->
                line.matches(
                    "loopgate_io_engine_info\\{engine=\"workers:4\",reason=\"x{117}\\.\\.\\.\","
                        + "volume=\"disk0\"} 1"))
        .anyMatch(line -> line.matches("process_start_time_seconds 1\\..*E9"))
        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
        .anyMatch(line -> line.startsWith("jvm_buffer_memory_used_bytes{"))
        .anyMatch(line -> line.startsWith("jvm_threads_live_threads "))
        .anyMatch(line -> line.startsWith("process_files_open_files "))
        .anyMatch(line -> line.startsWith("process_cpu_usage "))
        .anyMatch(line -> line.startsWith("process_cpu_seconds_total "))
        .noneMatch(line -> line.startsWith("process_cpu_time"));
  }

  @Test
  void everyMetricOfTheCatalogueHasItsTypeItsHelpAndItsLabels() {
    admin.source.volume("disk0");
    String text = admin.get("/metrics").body();
    for (Metric metric : Metric.values()) {
      String name = metric.fullName();
      String type = metric.kind() == Metric.Kind.INFO ? "gauge" : metric.kind().label();
      assertThat(text).contains("# TYPE " + name + " " + type + "\n", "# HELP " + name + " ");
      Set<String> expected = new TreeSet<>(metric.labels());
      assertThat(labelsOf(text, name)).as(name).isEqualTo(expected);
    }
    Set<String> exported =
        text.lines()
            .filter(line -> line.startsWith("# TYPE " + Metric.PREFIX))
            .map(line -> line.split(" ", -1)[2])
            .collect(Collectors.toSet());
    assertThat(exported)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Metric.values()).map(Metric::fullName).toList());
  }

  private static Set<String> labelsOf(String text, String name) {
    Pattern label = Pattern.compile("[{,]([a-z_]+)=\"");
    return text.lines()
        .filter(line -> line.matches(name + "(_bucket|_sum|_count)?[ {].*"))
        .flatMap(line -> label.matcher(line).results().map(found -> found.group(1)))
        .filter(found -> !found.equals("le"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void manyVolumesShareOneLabel() {
    for (int i = 0; i < Metric.MAX_VOLUMES + 50; i++) {
      admin.source.volume("disk%03d".formatted(i)).commandEnded(BlockOp.READ, 10);
    }
    List<String> samples = samples(admin.get("/metrics"));
    assertThat(samples.stream().filter(line -> line.startsWith("loopgate_volume_size_bytes{")))
        .hasSize(Metric.MAX_VOLUMES + 1);
    assertThat(samples)
        .contains(
            "loopgate_io_bytes_total{op=\"read\",volume=\"other\"} 500.0",
            "loopgate_io_bytes_total{op=\"read\",volume=\"disk099\"} 10.0",
            "loopgate_volume_state{state=\"open\",volume=\"other\"} 50.0",
            "loopgate_queue_depth{volume=\"other\"} 150.0")
        .noneMatch(line -> line.contains("disk100"));
  }

  @Test
  void openMetricsComesWhenAskedForByName() {
    admin.source.volume("disk0");
    HttpResponse<String> answer = admin.get("/metrics", "Accept", OPEN_METRICS);
    assertThat(header(answer, "content-type"))
        .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
    assertThat(answer.body())
        .endsWith("# EOF\n")
        .contains("# TYPE loopgate_io_operations counter\n", "# TYPE loopgate_build info\n");

    HttpResponse<String> plain = admin.get("/metrics");
    assertThat(header(plain, "content-type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(plain.body()).doesNotContain("# EOF");
  }

  @Test
  void noLabelTellsClientsApart() {
    admin.source.volume("disk0");
    assertThat(admin.get("/metrics").body())
        .doesNotContainPattern(
            "^loopgate_.*[{,](path|uri|client|remote|address|ip|user|offset|trace_id)=");
  }

  @Test
  void scrapesTellHowLongTheOneBeforeTook() {
    assertThat(samples(admin.get("/metrics"))).contains("loopgate_scrape_duration_seconds 0.0");
    assertThat(samples(admin.get("/metrics")))
        .noneMatch("loopgate_scrape_duration_seconds 0.0"::equals)
        .anyMatch(line -> line.startsWith("loopgate_scrape_duration_seconds "));
    assertThat(admin.source.blockedEventLoop).isFalse();
  }

  @Test
  void promtoolFindsNothingToSay() throws IOException, InterruptedException {
    admin.source.volume("disk0", "a \"quoted\" \\ reason\nin two lines");

    Path text = Files.createTempFile("metrics", ".txt");
    try {
      Files.writeString(text, admin.get("/metrics").body());
      Promtool.Result check = Promtool.run(text, "check", "metrics");
      // 3 is what it thinks of names, those of libraries among them; 1 is text it cannot parse.
      assertThat(check.exit()).as(check.said()).isIn(0, 3);
      assertThat(check.said().lines().filter(line -> line.startsWith(Metric.PREFIX))).isEmpty();
    } finally {
      Files.delete(text);
    }
  }

  private static List<String> samples(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body().lines().filter(line -> !line.startsWith("#")).toList();
  }
}
