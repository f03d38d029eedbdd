package io.loopgate.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.compare.Timing;
import io.loopgate.bench.seed.ClaimResult;
import io.loopgate.bench.seed.SeedResult;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A report as JSON. Names carry their units; what could not be measured is left out, never 0. The
 * member {@code format} changes when a reader would have to.
 */
public final class JsonReport {
  private static final int FORMAT = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonReport() {}

  /** Returns the text. */
  public static String of(Report report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", FORMAT);
    root.put("commandLine", report.commandLine());
    root.put("started", report.started().toString());
    root.put("interrupted", report.interrupted());
    ObjectNode machine = root.putObject("machine");
    report.facts().forEach(machine::put);
    timing(root.putObject("timing"), report.timing());
    ArrayNode comparisons = root.putArray("comparisons");
    report.comparisons().forEach(each -> comparison(comparisons.addObject(), each));
    ArrayNode seeds = root.putArray("seeds");
    report.seeds().forEach(seed -> seed(seeds.addObject(), seed));
    return root.toPrettyString() + "\n";
  }

  private static void timing(ObjectNode node, Timing timing) {
    node.put("rounds", timing.rounds());
    node.put("warmUpMillis", timing.warmUp().toMillis());
    node.put("rampMillis", timing.ramp().toMillis());
    node.put("measuredMillis", timing.measured().toMillis());
  }

  private static void comparison(ObjectNode node, Comparison comparison) {
    workload(node.putObject("workload"), comparison.workload());
    node.put("baseline", comparison.baseline());
    ArrayNode rows = node.putArray("contenders");
    comparison.rows().forEach(row -> row(rows.addObject(), comparison, row));
  }

  private static void workload(ObjectNode node, Workload workload) {
    Access access = workload.access();
    node.put("name", workload.name());
    node.put("text", workload.text());
    node.put("target", workload.target().text());
    node.put("rw", access.rw().word());
    node.put("blockBytesMin", access.blockBytesMin());
    node.put("blockBytesMax", access.blockBytesMax());
    node.put("depth", access.depth());
    node.put("jobs", access.jobs());
    node.put("direct", access.direct());
    node.put("cache", word(access.cache()));
    node.put("disjoint", access.disjoint());
    if (access.rw().reads() && access.rw().writes()) {
      node.put("readPercent", access.readPercent());
    }
    workload.wire().ifPresent(wire -> wire(node.putObject("http"), wire));
  }

  private static void wire(ObjectNode node, Wire wire) {
    node.put("protocol", wire.protocol().word());
    node.put("durable", wire.durable());
    node.put("whole", wire.whole());
    if (wire.isOpen()) {
      node.put("ratePerSecond", wire.ratePerSecond());
    }
  }

  private static void row(ObjectNode node, Comparison comparison, Row row) {
    node.put("name", row.contender());
    node.put("state", word(row.state()));
    if (!row.reason().isEmpty()) {
      node.put("reason", row.reason());
    }
    if (!row.how().isEmpty()) {
      node.put("how", row.how());
    }
    if (!row.nowait().isEmpty()) {
      node.put("nowait", row.nowait());
    }
    if (row.rounds().isEmpty()) {
      return;
    }
    ObjectNode median = node.putObject("median");
    Figures.columns(comparison.workload())
        .forEach(
            column ->
                Spread.of(row.rounds(), column.figure())
                    .ifPresent(spread -> median.put(column.member(), spread.median())));
    ObjectNode ratios = node.putObject("ratiosToBaseline");
    ratio(ratios, "iops", comparison, row, Measurement::iops);
    ratio(ratios, "cpuPerCommand", comparison, row, Measurement::cpuMicrosPerCommand);
    node.put("cpuScope", word(row.rounds().getFirst().cpu().scope()));
    ObjectNode counters = node.putObject("counters");
    Tables.counters(row).forEach(counters::put);
    ArrayNode rounds = node.putArray("rounds");
    row.rounds().forEach(round -> round(rounds.addObject(), comparison.workload(), round));
  }

  private static void ratio(
      ObjectNode node,
      String name,
      Comparison comparison,
      Row row,
      ToDoubleFunction<Measurement> figure) {
    Figures.ratio(comparison, row, figure).ifPresent(spread -> spread(node, name, spread));
  }

  private static void spread(ObjectNode node, String name, Spread spread) {
    ObjectNode inner = node.putObject(name);
    inner.put("median", spread.median());
    inner.put("min", spread.min());
    inner.put("max", spread.max());
  }

  private static void round(ObjectNode node, Workload workload, Measurement round) {
    node.put("seconds", round.seconds());
    node.put("reads", round.reads());
    node.put("writes", round.writes());
    node.put("readBytes", round.readBytes());
    node.put("writtenBytes", round.writtenBytes());
    for (Figures.Column column : Figures.columns(workload)) {
      double value = column.figure().applyAsDouble(round);
      if (!Double.isNaN(value)) {
        node.put(column.member(), value);
      }
    }
    for (Map.Entry<String, Long> counter : round.counters().entrySet()) {
      node.withObjectProperty("counters").put(counter.getKey(), counter.getValue());
    }
  }

  private static void seed(ObjectNode node, SeedResult seed) {
    node.put("mail", seed.mail().id());
    node.put("subject", seed.mail().subject());
    node.put("date", seed.mail().date());
    node.put("hardware", seed.mail().hardware());
    node.put("title", seed.title());
    ArrayNode claims = node.putArray("claims");
    seed.claims().forEach(claim -> claim(claims.addObject(), claim));
    ArrayNode caveats = node.putArray("caveats");
    seed.caveats().forEach(caveats::add);
    comparison(node.putObject("comparison"), seed.comparison());
  }

  private static void claim(ObjectNode node, ClaimResult claim) {
    node.put("what", claim.what());
    node.put("contenders", claim.contenders());
    node.put("mailed", claim.mailed());
    Optional<Spread> measured = claim.measured();
    measured.ifPresent(spread -> spread(node, "measured", spread));
    if (!claim.reason().isEmpty()) {
      node.put("reason", claim.reason());
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
