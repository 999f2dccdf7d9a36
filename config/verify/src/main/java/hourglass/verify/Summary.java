package hourglass.verify;

import hourglass.verify.Board.ClassTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** The end of a run: what took longest, and what failed with the command that repeats it. */
final class Summary {
  private static final int SLOWEST = 20;

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
    out.println("\n" + board.totals());
  }

  /** All classes with their seconds, the slowest first; columns are separated by tabs. */
  void writeClasses(Path file) throws IOException {
    List<String> lines =
        slowest().stream()
            .map(each -> "%s\t%s\t%.1f".formatted(each.job(), each.name(), each.millis() / 1e3))
            .toList();
    Files.write(file, lines);
  }

  private List<ClassTime> slowest() {
    return board.classes().stream()
        .sorted(Comparator.comparingLong(ClassTime::millis).reversed())
        .toList();
  }
}
