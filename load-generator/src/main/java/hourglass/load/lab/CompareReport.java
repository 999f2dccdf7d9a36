package hourglass.load.lab;

import hourglass.load.command.Figures;
import hourglass.load.command.HtmlReport;
import hourglass.load.command.LoadTask;
import hourglass.load.send.RunReport;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of a comparison. */
final class CompareReport {
  @Option(
      names = "--json",
      description = "Writes every figure and setting of the report to this file.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      description = "Writes the report with charts to this file, which needs no network.")
  private @Nullable Path html;

  @Option(
      names = "--histograms",
      paramLabel = "DIR",
      description = "Writes LAYOUT.hgrm and LAYOUT.hlog there, where latencies were measured.")
  private @Nullable Path histograms;

  void check(LoadTask command) {
    command.requireFile("--json", json);
    command.requireFile("--html", html);
    command.requireFolder("--histograms", histograms);
  }

  void write(JsonObject figures) throws IOException {
    Figures.write(json, figures);
    JsonObject report =
        new JsonObject()
            .put("run", figures)
            .put("table", CompareTable.of(new Figures(figures)).lines());
    HtmlReport.write(html, CompareReport.class, "compare.js", report);
  }

  void writeHistograms(String layout, @Nullable LatencyLog latencies) throws IOException {
    if (histograms != null && latencies != null) {
      String name = layout.replace(':', '-');
      Files.createDirectories(histograms);
      Files.write(histograms.resolve(name + ".hgrm"), RunReport.distribution(latencies.whole));
      Files.write(histograms.resolve(name + ".hlog"), latencies.log());
    }
  }
}
