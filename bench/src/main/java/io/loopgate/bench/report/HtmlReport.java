package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.seed.ClaimResult;
import io.loopgate.bench.seed.SeedResult;
import java.util.List;

/** A report as one page that needs nothing else: no script, no font, no picture from elsewhere. */
public final class HtmlReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ground: #ffffff; --ink: #1c2128; --dim: #59636e;
        --line: #d1d9e0; --bar: #2f6fc1; --base: #8793a1; --user: #2f6fc1; --sys: #c2752c;
        --mail: #8793a1; --warn: #b3261e; }
      @media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #e6eaee;
        --dim: #9aa5b1; --line: #39424c; --bar: #6aa5ee; --base: #73808d; --user: #6aa5ee;
        --sys: #e2a15f; --mail: #73808d; --warn: #ff8a80; } }
      body { background: var(--ground); color: var(--ink); margin: 2rem auto; max-width: 84rem;
        padding: 0 1rem; font: 15px/1.45 system-ui, sans-serif; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
      h3 { font-size: 1rem; color: var(--dim); margin: 1.2rem 0 .2rem; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
      th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; }
      th:first-child, td:first-child, td.reason, .facts td { text-align: left; white-space: normal; }
      th { color: var(--dim); font-weight: 600; }
      svg { width: 100%; max-width: 860px; height: auto; display: block; }
      svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
      svg text.name { text-anchor: end; } svg text.value { fill: var(--dim); }
      .bar { fill: var(--bar); } .base { fill: var(--base); } .user { fill: var(--user); }
      .sys { fill: var(--sys); } .mail { fill: var(--mail); }
      .spread { stroke: var(--ink); fill: none; }
      .key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; }
      .key.user { background: var(--user); } .key.sys { background: var(--sys); }
      .key.mail { background: var(--mail); } .key.bar { background: var(--bar); }
      .remarks, .dim { color: var(--dim); font-size: .85rem; }
      .warn { color: var(--warn); font-weight: 600; }
      code { overflow-wrap: anywhere; }
      """;

  private HtmlReport() {}

  /** Returns the text. */
  public static String of(Report report) {
    Xml page = new Xml();
    page.raw(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n");
    page.raw("<meta charset=\"utf-8\"/>\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    page.element("title", "loopgate bench")
        .raw("<style>\n" + STYLE + "</style>\n</head>\n<body>\n");
    head(page, report);
    report.seeds().forEach(seed -> seed(page, seed));
    report.comparisons().forEach(comparison -> comparison(page, comparison));
    return page.raw("</body>\n</html>\n").toString();
  }

  private static void head(Xml page, Report report) {
    page.element("h1", "loopgate bench").raw("<p>").element("code", report.commandLine());
    page.raw("</p>\n");
    if (report.interrupted()) {
      page.element("p class=\"warn\"", "interrupted: what follows is what was done until then");
    }
    page.element(
        "p class=\"dim\"",
        "Started "
            + report.started()
            + ". Contenders alternate within each of "
            + report.timing().rounds()
            + " rounds; figures are medians, ratios are medians of the pairs of each round, with"
            + " the least and the greatest.");
    page.raw("<table class=\"facts\">\n");
    report.facts().forEach((name, value) -> row(page, "td", List.of(name, value)));
    page.raw("</table>\n");
  }

  private static void row(Xml page, String cell, List<String> cells) {
    page.raw("<tr>");
    cells.forEach(text -> page.element(cell, text));
    page.raw("</tr>\n");
  }

  private static void comparison(Xml page, Comparison comparison) {
    page.element("h2", comparison.workload().name());
    page.element("p", comparison.workload().text());
    page.element("h3", "commands per second");
    chart(page, Charts.rates(comparison));
    page.raw("<h3>processor time per command, us");
    page.raw("<span class=\"key user\"></span>user<span class=\"key sys\"></span>system</h3>\n");
    chart(page, Charts.processorTime(comparison));
    table(page, comparison);
  }

  private static void chart(Xml page, BarChart chart) {
    if (chart.isEmpty()) {
      page.element("p class=\"dim\"", "nothing was measured");
    } else {
      page.raw(chart.svg());
    }
  }

  private static void table(Xml page, Comparison comparison) {
    List<String> heads = Figures.heads(comparison.workload());
    page.raw("<div class=\"wide\"><table>\n");
    row(page, "th", heads);
    for (var each : comparison.rows()) {
      List<String> cells = Figures.cells(comparison, each);
      if (cells.size() == heads.size()) {
        row(page, "td", cells);
      } else {
        page.raw("<tr>").element("td", cells.getFirst());
        page.element("td class=\"reason\" colspan=\"" + (heads.size() - 1) + "\"", cells.getLast());
        page.raw("</tr>\n");
      }
    }
    page.raw("</table></div>\n");
    remarks(page, Tables.remarks(comparison));
  }

  private static void remarks(Xml page, List<String> remarks) {
    if (!remarks.isEmpty()) {
      page.raw("<ul class=\"remarks\">\n");
      remarks.forEach(remark -> page.element("li", remark));
      page.raw("</ul>\n");
    }
  }

  private static void seed(Xml page, SeedResult seed) {
    page.element("h2", seed.mail().id() + ": " + seed.title());
    page.element(
        "p",
        seed.mail().subject() + ", " + seed.mail().date() + ". There: " + seed.mail().hardware());
    page.raw(
        "<h3>ratios<span class=\"key mail\"></span>mail<span class=\"key bar\"></span>here</h3>\n");
    chart(page, Charts.claims(seed));
    page.raw("<div class=\"wide\"><table>\n");
    row(page, "th", List.of("ratio", "mail", "here (min..max)", "of what here"));
    for (ClaimResult claim : seed.claims()) {
      String here =
          claim.measured().isPresent() ? Figures.ratio(claim.measured()) : "- " + claim.reason();
      row(page, "td", List.of(claim.what(), claim.mailed(), here, claim.contenders()));
    }
    page.raw("</table></div>\n");
    remarks(page, seed.caveats());
    comparison(page, seed.comparison());
  }
}
