package hourglass.load.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a file with the figures of a report. */
public final class JsonReport {
  @Option(
      names = "--json",
      description = "Writes every figure and setting of the report to this file.")
  private @Nullable Path file;

  public void check(LoadTask command) {
    command.requireFile("--json", file);
  }

  /** Writes the figures, unless no file is named. */
  public void write(JsonObject figures) throws IOException {
    if (file != null) {
      Files.writeString(file, Figures.encode(figures) + System.lineSeparator());
    }
  }
}
