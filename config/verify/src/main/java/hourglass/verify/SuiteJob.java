package hourglass.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the tests of a module in a JVM of their own, and reads their results from {@link TestJvm}.
 */
final class SuiteJob implements Job {
  /** The number of last lines in the summary from the log of a JVM that ended by itself. */
  private static final int LOG_LINES = 30;

  /** The time to wait for the connection of a JVM that may have ended already. */
  private static final int PATIENCE_SECONDS = 10;

  /**
   * The time to wait for a JVM whose tests have ended, because the servers that it started end
   * first.
   */
  private static final int END_PATIENCE_SECONDS = 300;

  private final Suite suite;
  private final Wanted wanted;
  private final Desk desk;
  private final List<String> flags;
  private final List<FailureReport> failures = new ArrayList<>();
  private int known;

  SuiteJob(Suite suite, Wanted wanted, Desk desk, List<String> flags) {
    this.suite = suite;
    this.wanted = wanted;
    this.desk = desk;
    this.flags = flags;
  }

  @Override
  public String name() {
    return suite.module();
  }

  @Override
  public List<FailureReport> run(Board board) throws Exception {
    CompletableFuture<Socket> report = desk.reportOf(name());
    Process process = start();
    boolean isWhole = false;
    CompletableFuture.anyOf(report, process.onExit()).get();
    // A JVM that has ended may have opened a connection that has not been accepted here yet.
    try (Socket socket = report.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        BufferedReader lines = Desk.reader(socket)) {
      isWhole = read(lines, board);
    } catch (TimeoutException | IOException e) {
      // The JVM ended before it had reported everything; its log explains why.
    } finally {
      if (!process.waitFor(END_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    if (!isWhole || process.exitValue() != 0) {
      failures.add(endedByItself(process.exitValue()));
    } else if (known == 0 && wanted.tests().isEmpty()) {
      failures.add(failure(List.of("no test was found in " + suite.classes())));
    }
    return failures;
  }

  private Process start() throws IOException {
    List<String> command =
        new ArrayList<>(suite.command(System.getProperty("java.class.path"), flags, TestJvm.class));
    command.add(Integer.toString(desk.port()));
    command.add(name());
    command.add(suite.classes().toString());
    command.add(Files.createDirectories(suite.reports()).toString());
    command.add(String.join(",", wanted.excludedTags()));
    command.addAll(wanted.tests());
    return new ProcessBuilder(command)
        .directory(suite.folder().toFile())
        .redirectErrorStream(true)
        .redirectOutput(suite.log().toFile())
        .start();
  }

  /** Reads the report. Returns whether the tests ran to their end. */
  private boolean read(BufferedReader lines, Board board) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "planned" -> {
          known = Integer.parseInt(words[1]);
          board.planned(name(), known);
        }
        case "passed" -> board.passed(name());
        case "skipped" -> board.skipped(name());
        case "failed" -> {
          board.failed(name(), words[1]);
          failures.add(new FailureReport(words[1], new ArrayList<>(), command(words[1])));
        }
        case "" -> last().reason().add(words[1]);
        case "seed" -> failures.add(repeatedBy(failures.remove(failures.size() - 1), words[1]));
        case "class" -> {
          int space = words[1].lastIndexOf(' ');
          long millis = Long.parseLong(words[1].substring(space + 1));
          board.classEnded(name(), words[1].substring(0, space), millis);
        }
        case "end" -> {
          return true;
        }
        default -> throw new IllegalStateException("a line of no kind: " + line);
      }
    }
    return false;
  }

  private FailureReport last() {
    return failures.get(failures.size() - 1);
  }

  private String command(String test) {
    return "./verify " + wanted.tierOption() + name() + " --test '" + test + "'";
  }

  private static FailureReport repeatedBy(FailureReport failure, String option) {
    return new FailureReport(failure.name(), failure.reason(), failure.repeat() + " " + option);
  }

  private FailureReport endedByItself(int exit) throws IOException {
    List<String> said =
        Files.exists(suite.log()) ? Files.readAllLines(suite.log()) : List.of("no log");
    List<String> reason = new ArrayList<>();
    reason.add("the JVM of the tests ended with exit code " + exit + "; the end of its log:");
    reason.addAll(said.subList(Math.max(0, said.size() - LOG_LINES), said.size()));
    return failure(reason);
  }

  private FailureReport failure(List<String> reason) {
    return new FailureReport(
        name() + ": all tests", reason, "./verify " + wanted.tierOption() + name());
  }
}
