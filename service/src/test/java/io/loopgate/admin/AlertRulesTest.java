package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules that are shipped for Prometheus, beside what is scraped and what the runbooks say. */
final class AlertRulesTest {
  private static final Path RULES = file("rules/loopgate.rules.yaml");
  private static final Path TESTS = file("rules/loopgate.test.yaml");
  private static final Path RUNBOOKS = file("docs/runbooks");
  private static final List<String> HEADINGS =
      List.of("## Meaning", "## Impact", "## Diagnosis", "## Mitigation");

  /** A metric, not one that a rule has recorded, and its matchers if it has any. */
  private static final Pattern SELECTOR =
      Pattern.compile("(?<![:\\w])((?:loopgate|process|jvm)_[a-z_]+)\\b(?!:)(?:\\{([^}]*)})?");

  private static final Pattern METRIC = Pattern.compile("(?<![:\\w])loopgate_[a-z_]+\\b");

  private static final Pattern MATCHER = Pattern.compile("(\\w+)=(~?)\"([^\"]*)\"");

  private final AdminFixture admin = new AdminFixture();

  @AfterEach
  void close() {
    admin.close();
  }

  @Test
  void prometheusTakesThemAndTheirTestsPass() throws IOException, InterruptedException {
    Promtool.Result check =
        Promtool.run(RULES, "check", "rules", "--lint=all", "--lint-fatal", RULES.toString());
    assertThat(check.exit()).as(check.said()).isZero();
    Promtool.Result test = Promtool.run(TESTS, "test", "rules", TESTS.toString());
    assertThat(test.exit()).as(test.said()).isZero();
  }

  @Test
  void eachAlertIsTestedWhereItFiresAndWhereItIsSilent() throws IOException {
    Set<String> fire = new TreeSet<>();
    Set<String> silent = new TreeSet<>();
    for (JsonNode test : read(TESTS).path("tests")) {
      for (JsonNode expected : test.path("alert_rule_test")) {
        boolean fires = !expected.path("exp_alerts").isEmpty();
        (fires ? fire : silent).add(expected.path("alertname").asText());
      }
    }
    assertThat(fire).isEqualTo(alertNames());
    assertThat(silent).isEqualTo(alertNames());
  }

  @Test
  void eachAlertHasARunbookAndEachRunbookAnAlert() throws IOException {
    Set<String> pages = new TreeSet<>();
    try (Stream<Path> files = Files.list(RUNBOOKS)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("README.md"))
          .forEach(name -> pages.add(name.replace(".md", "")));
    }
    assertThat(pages).isEqualTo(alertNames());
    String index = Files.readString(RUNBOOKS.resolve("README.md"));
    for (String page : pages) {
      assertThat(index).contains("- [" + page + "](" + page + ".md)");
      List<String> lines = Files.readAllLines(RUNBOOKS.resolve(page + ".md"));
      assertThat(lines.getFirst()).isEqualTo("# " + page);
      assertThat(lines.stream().filter(line -> line.startsWith("## ")))
          .as(page)
          .isEqualTo(HEADINGS);
    }
  }

  @Test
  void eachAlertSaysWhatAndHowBadAndWhereToReadOn() throws IOException {
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asText();
      assertThat(name).startsWith("Loopgate");
      assertThat(alert.path("labels").path("severity").asText())
          .as(name)
          .isIn("critical", "warning", "info");
      JsonNode annotations = alert.path("annotations");
      assertThat(annotations.path("summary").asText()).as(name).endsWith(".").doesNotContain("{{");
      assertThat(annotations.path("description").asText()).as(name).contains("{{ $labels.");
      assertThat(file(annotations.path("runbook").asText())).isRegularFile();
    }
  }

  @Test
  void theyAskOnlyForWhatIsScraped() throws IOException {
    List<String> samples = samples();
    Set<String> asked = new TreeSet<>();
    for (JsonNode rule : rules()) {
      SELECTOR
          .matcher(rule.path("expr").asText())
          .results()
          .forEach(selector -> asked.add(expectScraped(selector, samples)));
    }
    assertThat(asked).contains("loopgate_ready", "loopgate_io_errors_total").hasSizeGreaterThan(15);
  }

  @Test
  void runbooksNameOnlyWhatIsScraped() throws IOException {
    List<String> samples = samples();
    try (Stream<Path> files = Files.list(RUNBOOKS)) {
      for (Path page : files.toList()) {
        METRIC
            .matcher(Files.readString(page))
            .results()
            .map(MatchResult::group)
            .forEach(
                name ->
                    assertThat(samples)
                        .as("%s in %s", name, page)
                        .anyMatch(isSampleOf(name).or(isSampleOf(name + "_count"))));
      }
    }
  }

  private static Predicate<String> isSampleOf(String metric) {
    return line -> line.matches(metric + "[{ ].*");
  }

  private List<String> samples() {
    admin.source.volume("disk0");
    return admin.get("/metrics").body().lines().filter(line -> !line.startsWith("#")).toList();
  }

  private static String expectScraped(MatchResult selector, List<String> samples) {
    String metric = selector.group(1);
    List<String> series = samples.stream().filter(line -> line.matches(metric + "[{ ].*")).toList();
    assertThat(series).as(metric).isNotEmpty();
    String matchers = selector.group(2) == null ? "" : selector.group(2);
    MATCHER
        .matcher(matchers)
        .results()
        .filter(matcher -> !matcher.group(1).equals("job"))
        .forEach(matcher -> expectLabel(matcher, series));
    return metric;
  }

  private static void expectLabel(MatchResult matcher, List<String> series) {
    for (String value : matcher.group(3).split("\\|", -1)) {
      String label = matcher.group(1) + "=\"" + value + "\"";
      assertThat(series).as(label).anyMatch(line -> line.contains(label));
    }
  }

  private static Set<String> alertNames() throws IOException {
    Set<String> names = new TreeSet<>();
    alerts().forEach(alert -> names.add(alert.path("alert").asText()));
    return names;
  }

  private static List<JsonNode> alerts() throws IOException {
    return rules().stream().filter(rule -> rule.has("alert")).toList();
  }

  private static List<JsonNode> rules() throws IOException {
    return StreamSupport.stream(read(RULES).path("groups").spliterator(), false)
        .flatMap(group -> StreamSupport.stream(group.path("rules").spliterator(), false))
        .toList();
  }

  private static JsonNode read(Path file) throws IOException {
    return new YAMLMapper().readTree(file.toFile());
  }

  /** Returns a file of the repository, from its root or from the module's folder. */
  private static Path file(String path) {
    Path folder = Path.of("").toAbsolutePath();
    Path here = folder.resolve(path);
    return Files.exists(here) ? here : folder.resolveSibling(path);
  }
}
