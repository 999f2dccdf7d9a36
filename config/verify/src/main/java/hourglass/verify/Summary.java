package hourglass.verify;

import hourglass.verify.Board.ClassTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** The end of a run: the slowest classes, and the failures with the commands that repeat them. */
final class Summary {
  private static final int SLOWEST = 20;

  /** The unit in which the kernel reports times to programs. */
  private static final int TICKS_A_SECOND = 100;

  private final Board board;
  private final List<FailureReport> failures;

  Summary(Board board, List<FailureReport> failures) {
    this.board = board;
    this.failures = failures;
  }

  /** Prints the summary. The failures are printed last, where people look. */
  void print(PrintStream out) {
    List<ClassTime> slowest = slowest();
    if (slowest.size() > SLOWEST) {
      out.println("\nThe slowest classes, in seconds:");
      for (ClassTime each : slowest.subList(0, SLOWEST)) {
        out.printf("%7.1f  %s %s%n", each.millis() / 1e3, each.job(), each.name());
      }
    }
    for (FailureReport failure : failures) {
      out.println("\nFAILED " + failure.name());
      failure.reason().forEach(line -> out.println("  " + line));
      out.println("  repeat it alone: " + failure.repeat());
    }
    out.println("\n" + board.totals() + processorTime());
  }

  /**
   * Returns the times of all processes of the run, including the build, on Linux, where the shell
   * that built has become this process. The text is empty elsewhere.
   *
   * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
   */
  private static String processorTime() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      // The name of the program may contain blanks, so the fields are counted from the third one,
      // which follows it.
      long ticks =
          Pattern.compile(" ")
              .splitAsStream(stat.substring(stat.lastIndexOf(')') + 2))
              .skip(14 - 3)
              .limit(4)
              .mapToLong(Long::parseLong)
              .sum();
      Duration whole = Duration.between(startOfTheShell(), Instant.now());
      return "; with the build %d:%02d, and %,d s of CPU in all processes"
          .formatted(whole.toMinutes(), whole.toSecondsPart(), ticks / TICKS_A_SECOND);
    } catch (IOException e) {
      return "";
    }
  }

  /** Writes all classes with their seconds, the slowest first, in columns separated by tabs. */
  void writeClasses(Path file) throws IOException {
    List<String> lines =
        slowest().stream()
            .map(each -> "%s\t%s\t%.1f".formatted(each.job(), each.name(), each.millis() / 1e3))
            .toList();
    Files.write(file, lines);
  }

  private static Instant startOfTheShell() {
    return ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
  }

  private List<ClassTime> slowest() {
    return board.classes().stream()
        .sorted(Comparator.comparingLong(ClassTime::millis).reversed())
        .toList();
  }
}
