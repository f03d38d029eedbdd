package io.loopgate.admin;

import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.HttpTelemetry;
import io.loopgate.telemetry.LoopTelemetry;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.telemetry.VolumeTelemetry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;

/**
 * Reads counters and states at a scrape, so that the data path pays nothing for names and labels.
 *
 * <p>{@link #collect} may wait a second for storage: it belongs on a worker.
 */
final class TelemetryCollector implements MultiCollector {
  private static final int CODE_CLASSES = 6;

  private final AdminInputs inputs;
  private final VolumeSampler sampler;
  private final VolumeLedger ledger = new VolumeLedger(Metric.MAX_VOLUMES);
  private volatile double scrapeSeconds;

  TelemetryCollector(AdminInputs inputs, VolumeSampler sampler) {
    this.inputs = inputs;
    this.sampler = sampler;
  }

  /** Notes how long a scrape took, for the next one to show. */
  void scrapeTook(double seconds) {
    scrapeSeconds = seconds;
  }

  @Override
  public List<MetricFamilyDescriptor> getMetricFamilyDescriptors() {
    return Families.descriptors();
  }

  @Override
  public synchronized MetricSnapshots collect() {
    Families families = new Families();
    process(families);
    http(families, inputs.http());
    VolumeSampler.Sample sample = sampler.sample();
    List<VolumeTelemetry> telemetry = inputs.source().telemetry();
    VolumeLedger.Page page = ledger.turn(telemetry, sample.volumes());
    page.byVolume().forEach((volume, totals) -> counters(families, volume, totals));
    families.histogram(Metric.IO_QUEUE_WAIT, page.all().queueWait().snapshot());
    families.histogram(Metric.IO_SERVICE, page.all().service().snapshot());
    families.histogram(Metric.SYNC_DURATION, page.all().syncTime().snapshot());
    new VolumeGauges(ledger::label).addTo(families, sample);
    return families.build();
  }

  private void process(Families families) {
    BuildInfo build = inputs.build();
    families.info(
        Metric.BUILD_INFO,
        build.version(),
        build.revision(),
        build.java(),
        build.vertx(),
        build.netty());
    Lifecycle lifecycle = inputs.source().lifecycle();
    families.flag(Metric.READY, lifecycle == Lifecycle.READY);
    families.flag(Metric.DRAINING, lifecycle == Lifecycle.DRAINING);
    families.value(Metric.SCRAPE_DURATION, scrapeSeconds);
  }

  private static void http(Families families, HttpTelemetry http) {
    for (RequestKind kind : RequestKind.values()) {
      for (int codeClass = 0; codeClass < CODE_CLASSES; codeClass++) {
        families.count(
            Metric.REQUESTS,
            http.requests(kind, codeClass),
            kind.label(),
            codeClass == 0 ? "none" : codeClass + "xx");
      }
      families.histogram(Metric.REQUEST_DURATION, http.durations(kind).snapshot(), kind.label());
    }
    families.count(Metric.REQUEST_BYTES, http.receivedBytes(), "in");
    families.count(Metric.REQUEST_BYTES, http.sentBytes(), "out");
    families.count(Metric.REQUESTS_IN_FLIGHT, http.inFlight());
    families.count(Metric.HELD_BYTES, http.heldBytes());
    families.count(Metric.CONNECTIONS_OPEN, http.openConnections());
    for (RequestKind kind : List.of(RequestKind.READ, RequestKind.WRITE)) {
      families.count(Metric.EXPRESS_REQUESTS, http.expressed(kind), kind.label());
    }
    families.count(Metric.STALLED_TRANSFERS, http.stalledTransfers());
    http.rejections().forEach((code, count) -> families.count(Metric.REJECTED, count, code));
    for (BlockOp op : BlockOp.values()) {
      families.count(Metric.QUEUE_COMMANDS, http.queueCommands(op), label(op));
    }
    families.count(Metric.QUEUE_STREAMS_OPEN, http.queueStreams());
    families.count(Metric.QUEUE_COMMANDS_IN_FLIGHT, http.queueInFlight());
    families.histogram(Metric.EVENT_LOOP_LAG, http.loopLag().snapshot());
    for (LoopTelemetry loop : http.loops()) {
      String label = Integer.toString(loop.loop());
      families.count(Metric.LOOP_COMMANDS, loop.commands(), label);
      families.count(Metric.LOOP_COMMANDS_LIMIT, loop.commandsMax(), label);
      families.count(Metric.LOOP_COMMANDS_REFUSED, loop.commandsRefused(), label);
    }
  }

  private static void counters(Families families, String volume, VolumeTotals totals) {
    for (BlockOp op : BlockOp.values()) {
      String label = label(op);
      families.count(Metric.IO_OPERATIONS, totals.commands(op), volume, label);
      families.count(Metric.IO_BYTES, totals.bytes(op), volume, label);
      families.count(Metric.IO_ERRORS, totals.errors(op), volume, label);
    }
    for (BlockOp op : VolumeTotals.FAST_PATH_OPS) {
      for (NowaitOutcome outcome : NowaitOutcome.values()) {
        families.count(
            Metric.IO_FASTPATH, totals.fastPath(op, outcome), volume, label(op), outcome.label());
      }
    }
    families.count(Metric.IO_MERGED, totals.merged(), volume);
    families.count(Metric.IO_POLLS, totals.polls(), volume);
    families.count(Metric.IO_POLLED, totals.polled(), volume);
    families.count(Metric.SYNCS, totals.syncs(), volume);
    families.count(Metric.SYNC_WRITES, totals.syncWrites(), volume);
    families.count(Metric.SYNC_ERRORS, totals.syncErrors(), volume);
  }

  private static String label(BlockOp op) {
    return op.name().toLowerCase(Locale.ROOT);
  }
}
