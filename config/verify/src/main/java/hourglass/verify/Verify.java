package hourglass.verify;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The main class that {@code ./verify} runs once everything is built. */
public final class Verify {
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

  /**
   * The jobs in the order in which they begin. The longest begin first, so that none of them is
   * left for the end; all other jobs follow.
   */
  private static final List<String> LONGEST_FIRST =
      List.of(
          "config/program",
          "query",
          "store/cassandra",
          "lint",
          "ingest",
          "store/embedded",
          "load-generator",
          "config");

  private Verify() {}

  /**
   * Runs all selected jobs, and ends the process with 0 if none failed.
   *
   * @param arguments the root of the sources, then {@code tty} if a terminal reads the output (or
   *     an empty text), then the arguments of {@code ./verify}
   */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    String[] given = List.of(arguments).subList(2, arguments.length).toArray(String[]::new);
    Wanted wanted = Wanted.of(root, given);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Servers servers = new Servers();
        Desk desk = Desk.open(servers)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(servers)));
      List<Job> jobs = jobs(root, wanted, desk, flags(wanted, desk));
      if (jobs.isEmpty()) {
        throw new IllegalStateException("there is nothing to run; is everything built?");
      }
      Board board = new Board(out, arguments[1].equals("tty"), jobs.size());
      List<FailureReport> failures = new ArrayList<>(new Lanes(board).run(jobs));
      if (board.ranNothing() && !wanted.tests().isEmpty()) {
        String names = String.join(", ", wanted.tests());
        failures.add(new FailureReport(names, List.of("no test is called so"), "./verify --help"));
      }
      Summary summary = new Summary(board, failures);
      summary.print(out);
      summary.writeClasses(Files.createDirectories(root.resolve("target")).resolve("tests.tsv"));
      System.exit(failures.isEmpty() ? 0 : 1);
    }
  }

  /** Ends all child processes, even if a signal stops the run. */
  private static void end(Servers servers) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
    servers.close();
  }

  private static List<Job> jobs(Path root, Wanted wanted, Desk desk, List<String> flags)
      throws IOException {
    List<Job> jobs = new ArrayList<>();
    for (String module : modules(root)) {
      Suite suite = new Suite(root, module);
      if (wanted.includes(module) && suite.hasTests()) {
        jobs.add(new SuiteJob(suite, wanted, desk, flags));
      }
    }
    if (wanted.tests().isEmpty() && wanted.includes("dashboard")) {
      jobs.add(command(root, "dashboard", List.of("sh", "dashboard/build.sh", "test")));
    }
    if (wanted.isEverything()) {
      // This compiles everything once more, with all checks, into a folder that no test reads.
      List<String> mvn =
          List.of("mvn", "-B", "-Dstyle.color=never", "-Dbuild.folder=target/lint", "compile");
      jobs.add(command(root, "lint", mvn));
    }
    jobs.sort(Comparator.comparingInt(Verify::place));
    return jobs;
  }

  private static Job command(Path root, String name, List<String> command) {
    return new CommandJob(name, root, command, root.resolve("target/" + name + ".log"));
  }

  private static int place(Job job) {
    int place = LONGEST_FIRST.indexOf(job.name());
    return place < 0 ? LONGEST_FIRST.size() : place;
  }

  private static List<String> modules(Path root) throws IOException {
    return MODULE
        .matcher(Files.readString(root.resolve("pom.xml")))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private static List<String> flags(Wanted wanted, Desk desk) {
    List<String> flags = new ArrayList<>();
    flags.add("-D" + Tier.PROPERTY + "=" + wanted.tierName());
    flags.add("-Dhourglass.servers.port=" + desk.port());
    if (wanted.tier() == Tier.LONGEST) {
      // These tests run for hours, so the slower compiler pays off too, and a campaign may use its
      // time.
      flags.add("-XX:TieredStopAtLevel=4");
      flags.add("-Djunit.jupiter.execution.timeout.default=3 h");
    }
    flags.addAll(wanted.properties());
    return flags;
  }
}
