package hourglass.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A command, such as a compiler, whose exit code says whether a check succeeded. */
record CommandJob(String name, Path folder, List<String> command, Path log) implements Job {
  /** The number of last lines of the command's output that appear in the summary. */
  private static final int LINES = 40;

  @Override
  public List<FailureReport> run(Board board) throws IOException, InterruptedException {
    Files.createDirectories(log.getParent());
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (process.waitFor() == 0) {
        return List.of();
      }
    } finally {
      process.destroyForcibly();
    }
    List<String> said = remarks(Files.readAllLines(log));
    return List.of(
        new FailureReport(
            name,
            said.subList(Math.max(0, said.size() - LINES), said.size()),
            "(cd " + folder + " && " + String.join(" ", command) + ")"));
  }

  /**
   * Returns the lines that Maven marks as a warning or an error, or all lines if none is marked.
   */
  private static List<String> remarks(List<String> said) {
    List<String> marked =
        said.stream()
            .filter(line -> line.startsWith("[WARNING]") || line.startsWith("[ERROR]"))
            .toList();
    return marked.isEmpty() ? said : marked;
  }
}
