package hourglass.load.lab;

import hourglass.load.command.Figures;
import hourglass.load.command.HtmlReport;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.load.send.RunReport;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

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
      names = "--over",
      description = "The --json of an earlier run, shown dashed beneath this one in the charts.")
  private @Nullable Path before;

  @Option(
      names = "--histograms",
      paramLabel = "DIR",
      description = "Writes LAYOUT.hgrm and LAYOUT.hlog there, where latencies were measured.")
  private @Nullable Path histograms;

  void check(LoadTask command) {
    command.require(before == null || html != null, "--over", before, "--html FILE with it");
    command.require(
        before == null || Files.isReadable(before), "--over", before, "a readable file");
    command.requireFile("--json", json);
    command.requireFile("--html", html);
    command.requireFolder("--histograms", histograms);
  }

  void write(JsonObject figures) throws IOException {
    Figures.write(json, figures);
    if (html != null) {
      JsonObject report = report(new Figures(figures), before == null ? null : read(before));
      HtmlReport.write(html, CompareReport.class, "compare.js", report);
    }
  }

  private static Figures read(Path file) throws IOException {
    try {
      Figures read = Figures.parse(Files.readAllBytes(file));
      if (read.object("layouts").names().isEmpty()) {
        throw new LoadFailure(file + ": is not the --json of load compare");
      }
      return read;
    } catch (DecodeException e) {
      throw new LoadFailure(file + ": " + e.getMessage());
    }
  }

  void writeHistograms(String layout, @Nullable LatencyLog latencies) throws IOException {
    if (histograms != null && latencies != null) {
      String name = layout.replace(':', '-');
      Files.createDirectories(histograms);
      Files.write(histograms.resolve(name + ".hgrm"), RunReport.distribution(latencies.whole));
      Files.write(histograms.resolve(name + ".hlog"), latencies.log());
    }
  }

  static String text(JsonObject all) {
    Figures figures = new Figures(all);
    List<List<String>> phases = CompareTable.phases(figures);
    String end = System.lineSeparator();
    return figures.text("title")
        + end
        + end
        + CompareTable.text(CompareTable.layouts(figures))
        + (phases.size() > 1 ? end + CompareTable.text(phases) : "");
  }

  /**
   * Returns the data of the page. {@code earlier} is drawn beneath the charts where layouts match.
   */
  private static JsonObject report(Figures run, @Nullable Figures earlier) {
    JsonObject tables =
        new JsonObject()
            .put("run", CompareTable.layouts(run))
            .put("before", earlier == null ? List.of() : CompareTable.layouts(earlier))
            .put("phases", CompareTable.phases(run));
    return new JsonObject()
        .put("run", run.json())
        .put("before", earlier == null ? null : earlier.json())
        .put("tables", tables);
  }
}
