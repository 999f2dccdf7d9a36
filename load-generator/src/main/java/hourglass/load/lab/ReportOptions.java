package hourglass.load.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import hourglass.load.command.Figures;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the figures of a comparison go besides the terminal. */
final class ReportOptions {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes every figure and setting of the report to this file.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes the report with charts to this file, which needs no network.")
  private @Nullable Path html;

  @Option(
      names = "--over",
      paramLabel = "FILE",
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
    command.require(
        histograms == null || !Files.exists(histograms) || Files.isDirectory(histograms),
        "--histograms",
        histograms,
        "a folder");
  }

  void write(Map<String, @Nullable Object> figures) throws IOException {
    JsonReport.write(json, figures);
    if (html != null) {
      Figures first = before == null ? null : read(before);
      Files.writeString(html, ReportPage.html(Figures.of(figures), first));
    }
  }

  private static Figures read(Path file) throws IOException {
    try {
      Figures read = Figures.parse(Files.readAllBytes(file));
      if (read.object("layouts").names().isEmpty()) {
        throw new LoadFailure(file + ": is not the --json of load compare");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw new LoadFailure(file + ": " + e.getOriginalMessage());
    }
  }

  void writeHistograms(LayoutResult result) throws IOException {
    LatencyLog latencies = result.latencies();
    if (histograms != null && latencies != null) {
      String name = result.name().replace(':', '-');
      Files.createDirectories(histograms);
      Files.write(histograms.resolve(name + ".hgrm"), latencies.distribution());
      Files.write(histograms.resolve(name + ".hlog"), latencies.log());
    }
  }
}
