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

/** The end of a run: what took longest, and what failed with the command that repeats it. */
final class Summary {
  private static final int SLOWEST = 20;

  /** The unit in which the kernel tells programs their times. */
  private static final int TICKS_A_SECOND = 100;

  private final Board board;
  private final List<Failure> failures;

  Summary(Board board, List<Failure> failures) {
    this.board = board;
    this.failures = failures;
  }

  /** What failed comes last, where eyes are. */
  void print(PrintStream out) {
    List<ClassTime> slowest = slowest();
    if (slowest.size() > SLOWEST) {
      out.println("\nThe slowest classes, in seconds:");
      for (ClassTime each : slowest.subList(0, SLOWEST)) {
        out.printf("%7.1f  %s %s%n", each.millis() / 1e3, each.job(), each.name());
      }
    }
    for (Failure failure : failures) {
      out.println("\nFAILED " + failure.name());
      failure.reason().forEach(line -> out.println("  " + line));
      out.println("  repeat it alone: " + failure.repeat());
    }
    out.println("\n" + board.totals() + processorTime());
  }

  /**
   * What all processes of the run took, the build included: on Linux, where the shell that built
   * has become this process. Empty elsewhere.
   *
   * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
   */
  private static String processorTime() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      // After the name of the program, which may have blanks, the third field is the first.
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

  /** All classes with their seconds, the slowest first; columns are separated by tabs. */
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
