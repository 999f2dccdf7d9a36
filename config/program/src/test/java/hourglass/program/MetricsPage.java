package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The metrics in docs/metrics.md. */
public final class MetricsPage {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\|");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (hourglass_\\w+) (\\w+)$");

  private MetricsPage() {}

  /** Asserts that the page has each of our metrics in an answer of a server, with its type. */
  public static void assertHasAll(String metrics) throws IOException {
    String page = Files.readString(Project.ROOT.resolve("docs/metrics.md"));
    Set<String> shown =
        ROW.matcher(page).results().map(MetricsPage::row).collect(Collectors.toSet());
    List<String> served = TYPE.matcher(metrics).results().map(MetricsPage::row).toList();
    assertThat(served).isNotEmpty();
    assertThat(shown).containsAll(served);
    for (String metric : served) {
      assertThat(metrics).containsPattern("(?m)^# HELP " + metric.split(" ", 2)[0] + " \\S");
    }
  }

  private static String row(MatchResult found) {
    return found.group(1) + " " + found.group(2);
  }
}
