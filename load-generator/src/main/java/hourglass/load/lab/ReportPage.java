package hourglass.load.lab;

import hourglass.load.command.Figures;
import hourglass.load.command.JsonReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The JSON report of a comparison with charts, as one HTML file that needs no network. */
final class ReportPage {
  /** Its version is that of the dependency. */
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private ReportPage() {}

  /**
   * @param before an earlier run, shown beneath this one for layouts of the same name; may be null
   */
  static String html(Figures run, @Nullable Figures before) throws IOException {
    Map<String, List<List<String>>> tables = new LinkedHashMap<>();
    tables.put("run", CompareTable.cells(run));
    tables.put("before", before == null ? List.of() : CompareTable.cells(before));
    tables.put("phases", PhaseTable.cells(run));
    Map<String, @Nullable Object> report = new LinkedHashMap<>();
    report.put("run", run.values());
    report.put("before", before == null ? null : before.values());
    report.put("tables", tables);
    return resource("report.html")
        .replace("${uplot.css}", resource(UPLOT + "uPlot.min.css"))
        .replace("${uplot.js}", resource(UPLOT + "uPlot.iife.min.js"))
        .replace("${report}", JsonReport.of(report).replace("<", "\\u003c"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ReportPage.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
