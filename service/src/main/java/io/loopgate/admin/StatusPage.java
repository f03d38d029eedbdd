package io.loopgate.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The status of the process and its volumes, as a page for people or as JSON. Stateless. */
final class StatusPage {
  /** A page with more rows is of no use to people; JSON has them all. */
  private static final int MAX_ROWS = 500;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>loopgate</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
      h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
      .table { overflow-x: auto; }
      table { border-collapse: collapse; margin: 1.2rem 0; }
      th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid #8886;
        vertical-align: top; }
      td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      small { opacity: .75; display: block; max-width: 32rem; }
      nav a { margin-right: 1rem; }
      .bad { color: #c22; font-weight: 600; }
      </style>
      </head>
      <body>
      """;

  private static final String FOOT =
      """
      <nav><a href="/metrics">metrics</a><a href="/health/live">live</a>
      <a href="/health/ready">ready</a><a href="/health/startup">startup</a>
      <a href="/version">version</a></nav>
      </body>
      </html>
      """;

  private static final String TABLE_HEAD =
      """
      <div class="table"><table>
      <thead><tr><th>volume</th><th>state</th><th>engine</th><th>fast path</th>
      <th class="n">size</th><th class="n">allocated</th><th class="n">queued</th>
      <th class="n">in flight</th></tr></thead>
      <tbody>
      """;

  private StatusPage() {}

  static Buffer html(BuildInfo build, Lifecycle lifecycle, VolumeSampler.Sample sample) {
    List<VolumeStatus> volumes = sample.volumes();
    StringBuilder page = new StringBuilder(HEAD);
    page.append("<h1>loopgate <span>")
        .append(Html.escape(lifecycle.label()))
        .append("</span></h1>\n<div>version ")
        .append(Html.escape(build.version()))
        .append(", Java ")
        .append(Html.escape(build.java()))
        .append(", ")
        .append(volumes.size())
        .append(volumes.size() == 1 ? " volume" : " volumes")
        .append("</div>\n");
    if (sample.ageSeconds() > 5) {
      page.append(
          "<p class=\"bad\">Storage does not answer: this is %.0f s old.</p>\n"
              .formatted(sample.ageSeconds()));
    }
    page.append(TABLE_HEAD);
    volumes.stream().limit(MAX_ROWS).forEach(volume -> row(page, volume));
    page.append("</tbody></table></div>\n");
    if (volumes.size() > MAX_ROWS) {
      page.append("<p>and ").append(volumes.size() - MAX_ROWS).append(" more</p>\n");
    }
    return Buffer.buffer(page.append(FOOT).toString());
  }

  private static void row(StringBuilder page, VolumeStatus volume) {
    page.append("<tr><td>")
        .append(Html.escape(volume.id()))
        .append(volume.readOnly() ? "<small>read-only</small>" : "")
        .append("</td><td>")
        .append(Html.escape(volume.state()))
        .append(volume.poisoned() ? " <span class=\"bad\">poisoned</span>" : "")
        .append("</td><td>")
        .append(withReason(volume.engine(), volume.engineReason()))
        .append("</td><td>")
        .append(
            withReason(
                "read " + volume.fastPathRead() + ", write " + volume.fastPathWrite(),
                volume.fastPathReason()))
        .append("</td>");
    number(page, Html.bytes(volume.sizeBytes()), volume.sizeBytes() + " bytes");
    number(page, Html.bytes(volume.allocatedBytes()), volume.allocatedBytes() + " bytes");
    number(page, Long.toString(volume.queueDepth()), "commands that wait");
    number(page, volume.inFlight() + " / " + volume.inFlightLimit(), "commands, of at most");
    page.append("</tr>\n");
  }

  private static String withReason(String text, String reason) {
    return Html.escape(text)
        + (reason.isEmpty() ? "" : "<small>" + Html.escape(reason) + "</small>");
  }

  private static void number(StringBuilder page, String text, String title) {
    page.append("<td class=\"n\" title=\"")
        .append(Html.escape(title))
        .append("\">")
        .append(Html.escape(text))
        .append("</td>");
  }

  static Buffer json(BuildInfo build, Lifecycle lifecycle, VolumeSampler.Sample sample) {
    JsonArray volumes = new JsonArray();
    sample.volumes().forEach(volume -> volumes.add(json(volume)));
    return new JsonObject()
        .put("name", BuildInfo.NAME)
        .put("version", build.version())
        .put("lifecycle", lifecycle.label())
        .put("statusAgeSeconds", sample.ageSeconds())
        .put("volumes", volumes)
        .toBuffer();
  }

  private static JsonObject json(VolumeStatus volume) {
    JsonObject fastPath =
        new JsonObject()
            .put("read", volume.fastPathRead())
            .put("write", volume.fastPathWrite())
            .put("reason", volume.fastPathReason());
    return new JsonObject()
        .put("id", volume.id())
        .put("state", volume.state())
        .put("engine", volume.engine())
        .put("engineReason", volume.engineReason())
        .put("fastPath", fastPath)
        .put("sizeBytes", volume.sizeBytes())
        .put("allocatedBytes", volume.allocatedBytes())
        .put("readOnly", volume.readOnly())
        .put("poisoned", volume.poisoned())
        .put("queueDepth", volume.queueDepth())
        .put("inFlight", volume.inFlight())
        .put("inFlightLimit", volume.inFlightLimit())
        .put("sequence", volume.sequence());
  }
}
