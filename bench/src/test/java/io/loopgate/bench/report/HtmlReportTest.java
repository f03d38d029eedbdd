package io.loopgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {
  private static Document parse(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  @Test
  void thePageIsWellFormedWhateverTextsHold() throws Exception {
    Document page = parse(HtmlReport.of(ReportFixture.report(false)));
    assertThat(page.getElementsByTagName("h2").getLength()).isEqualTo(3);
    assertThat(page.getDocumentElement().getTextContent()).contains("a <b> & \"c\" ?");
  }

  @Test
  void chartsStandAboveTheirTables() throws Exception {
    Document page = parse(HtmlReport.of(ReportFixture.report(false)));
    // The seed has one of ratios, and both comparisons have one of rates and one of processor time.
    NodeList charts = page.getElementsByTagName("svg");
    assertThat(charts.getLength()).isEqualTo(5);
    for (int i = 0; i < charts.getLength(); i++) {
      assertThat(((Element) charts.item(i)).getAttribute("aria-label")).isNotEmpty();
    }
    assertThat(page.getElementsByTagName("table").getLength()).isEqualTo(4);
  }

  @Test
  void nothingIsLoadedFromElsewhere() {
    String page = HtmlReport.of(ReportFixture.report(false));
    assertThat(page.replace("http://www.w3.org/1999/xhtml", ""))
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script");
  }

  @Test
  void emptyElementsThatHtmlDoesNotKnowAreNotClosedInThemselves() {
    assertThat(HtmlReport.of(ReportFixture.report(false)))
        .doesNotContainPattern("<(span|p|td|th|div|table|ul|li|code|h[1-3])(\\s[^>]*)?/>");
  }

  @Test
  void bothColourSchemesAreServed() {
    assertThat(HtmlReport.of(ReportFixture.report(false)))
        .contains("color-scheme: light dark", "prefers-color-scheme: dark");
  }

  @Test
  void anInterruptionIsSaid() {
    assertThat(HtmlReport.of(ReportFixture.report(true))).contains(">interrupted: ");
    assertThat(HtmlReport.of(ReportFixture.report(false))).doesNotContain(">interrupted: ");
  }

  @Test
  void theSpreadAndTheBaselineCanBeTold() {
    assertThat(Charts.rates(ReportFixture.comparison()).svg())
        .contains("class=\"base\"", "class=\"bar\"", "class=\"spread\"", ">4500, x 3.00<");
    assertThat(Charts.processorTime(ReportFixture.comparison()).svg())
        .contains("class=\"user\"", "class=\"sys\"", "(whole machine)<");
  }
}
