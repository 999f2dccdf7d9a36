package hourglass.load.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a page with the charts of a report, which needs no network. */
public final class HtmlReport {
  /** The folder of uPlot, whose version must be that of the dependency. */
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  @Option(
      names = "--html",
      description = "Writes the report with charts to this file, which needs no network.")
  private @Nullable Path file;

  public void check(LoadTask command) {
    command.requireFile("--html", file);
  }

  /**
   * Writes the page, unless no file is named.
   *
   * @param script a resource in the package of {@code owner}, which draws {@code report}
   */
  public void write(Class<?> owner, String script, JsonObject report) throws IOException {
    if (file != null) {
      Files.writeString(
          file,
          resource(HtmlReport.class, "report.html")
              .replace("${uplot.css}", resource(HtmlReport.class, UPLOT + "uPlot.min.css"))
              .replace("${uplot.js}", resource(HtmlReport.class, UPLOT + "uPlot.iife.min.js"))
              .replace("${script}", resource(owner, script))
              .replace("${report}", Figures.encode(report).replace("<", "\\u003c")));
    }
  }

  private static String resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
