package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@code promtool check metrics}, for what a server in use shows. */
class MetricsTest {
  private static final Pattern LINE = Pattern.compile("# (HELP|TYPE) (\\S+) ?(.*)");
  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z0-9_:]+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\",?");

  /** Words for which Prometheus has a base unit, or that a type says already. */
  private static final Pattern WORDS =
      Pattern.compile(
          ".*_(minutes|hours|days|weeks|(milli|micro|nano)seconds|millis|(kilo|mega|giga)bytes"
              + "|bits|percent|celsius|s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d"
              + "|counter|gauge|summary|histogram)(_.*)?");

  @TempDir private Path folder;

  @Test
  void namesAndTextsFollowTheRulesOfPrometheus() throws Exception {
    try (UsedServer server = new UsedServer(folder)) {
      check(server.metrics());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# HELP a_total \n# TYPE a_total counter\na_total 1\n",
        "# HELP a text\n# TYPE a counter\na 1\n",
        "# HELP a_total text\n# TYPE a_total gauge\na_total 1\n",
        "# HELP a_ms text\n# TYPE a_ms gauge\na_ms 1\n",
        "# HELP a_b_days_old text\n# TYPE a_b_days_old gauge\na_b_days_old 1\n",
        "# HELP a_count text\n# TYPE a_count gauge\na_count 1\n",
        "# HELP a_gauge text\n# TYPE a_gauge gauge\na_gauge 1\n",
        "# HELP aB text\n# TYPE aB gauge\naB 1\n",
        "# HELP a text\n# TYPE a gauge\na{bC=\"1\"} 1\n",
        "# HELP a text\n# TYPE a gauge\na{le=\"1\"} 1\n",
        "# HELP a text\n# TYPE a gauge\na 1\nb 1\n",
        "# HELP a text\n# TYPE a gauge\na 1\n# TYPE a gauge\na 1\n",
      })
  void aBrokenRuleIsFound(String metrics) {
    assertThat(problems(metrics)).isNotEmpty();
  }

  private static void check(String metrics) {
    assertThat(metrics).contains("hourglass_query_tails ", "hourglass_query_rows_total ");
    assertThat(problems(metrics)).isEmpty();
  }

  private static List<String> problems(String metrics) {
    Map<String, String> problems = new TreeMap<>();
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    for (Matcher line : metrics.lines().map(LINE::matcher).filter(Matcher::matches).toList()) {
      boolean isText = line.group(1).equals("HELP");
      if ((isText ? texts : types).put(line.group(2), line.group(3).strip()) != null) {
        problems.put(line.group(2), "is described twice");
      }
    }
    types.forEach(
        (name, type) -> {
          if (texts.getOrDefault(name, "").isEmpty()) {
            problems.put(name, "has no text");
          }
          if (name.endsWith("_total") != type.equals("counter")) {
            problems.put(name, "_total is for counters, and they have it");
          }
          if (!name.matches("[a-z][a-z0-9_]*") || WORDS.matcher(name).matches()) {
            problems.put(name, "is not in snake case, has a type in it, or is not in a base unit");
          }
          if (name.matches(".*_(sum|count|bucket)")) {
            problems.put(name, "has the suffix of a part of a summary or histogram");
          }
        });
    for (Matcher sample : metrics.lines().map(SAMPLE::matcher).filter(Matcher::matches).toList()) {
      String family = family(sample.group(1), types);
      if (family == null) {
        problems.put(sample.group(1), "has no type");
        continue;
      }
      String labels = sample.group(2) == null ? "" : sample.group(2);
      for (Matcher label = LABEL.matcher(labels); label.find(); ) {
        boolean isPart =
            label.group(1).equals("le") && types.get(family).equals("histogram")
                || label.group(1).equals("quantile") && types.get(family).equals("summary");
        if (!label.group(1).matches("[a-z][a-z0-9_]*")
            || label.group(1).matches("le|quantile") && !isPart) {
          problems.put(family + "{" + label.group(1), "is no name of a label here");
        }
      }
    }
    return problems.entrySet().stream().map(Object::toString).toList();
  }

  /** Returns the metric that a sample belongs to; null if it has none. */
  private static String family(String sample, Map<String, String> types) {
    String whole = sample.replaceFirst("_(sum|count|bucket)$", "");
    return types.containsKey(sample) ? sample : types.containsKey(whole) ? whole : null;
  }
}
