package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import hourglass.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/metrics.md shows the metrics there are; -Dhourglass.docs=write brings it up to date. The
 * alerts and the dashboard use no others.
 */
class MetricsPageTest {
  private static final Path DOCS = Project.ROOT.resolve("docs");
  private static final Path PAGE = DOCS.resolve("metrics.md");
  private static final String BEGIN = "<!-- begin: written by MetricsPageTest -->\n";
  private static final String END = "<!-- end -->\n";

  private static final Pattern LINE = Pattern.compile("# (HELP|TYPE) (\\S+) ?(.*)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  /** The metrics of a collector of garbage, which depend on its kind. */
  private static final String OF_COLLECTOR = "jvm_gc_";

  /** The name of a metric in an expression. */
  private static final Pattern USED = Pattern.compile("\\b(hourglass|jvm|process)_\\w+");

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @TempDir private static Path folder;

  private static String metrics;

  @BeforeAll
  static void use() throws Exception {
    try (UsedServer server = new UsedServer(folder)) {
      metrics = server.metrics();
    }
  }

  @AfterAll
  static void forget() {
    metrics = "";
  }

  private static String page() throws IOException {
    return Files.readString(PAGE);
  }

  @Test
  void showsEveryMetricOfAServerInUse() throws IOException {
    String page = page();
    String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
    String after = page.substring(page.indexOf(END));
    String want = before + "\n" + table() + "\n" + after;
    if ("write".equals(System.getProperty("hourglass.docs"))) {
      Files.writeString(PAGE, want);
    }
    assertThat(page())
        .as("stale: mvn -pl config -am test -Dtest=MetricsPageTest -Dhourglass.docs=write")
        .isEqualTo(want);
  }

  private static String table() {
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    for (Matcher line : metrics.lines().map(LINE::matcher).filter(Matcher::matches).toList()) {
      (line.group(1).equals("HELP") ? texts : types).put(line.group(2), line.group(3).strip());
    }
    StringBuilder table =
        new StringBuilder("| metric | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
    types.keySet().removeIf(name -> name.startsWith(OF_COLLECTOR));
    types.forEach(
        (name, type) ->
            table.append(
                "| `%s` | %s | %s | %s | %s |%n"
                    .formatted(name, type, unit(name), labels(name), texts.get(name))));
    return table.toString();
  }

  private static String unit(String name) {
    String whole = name.replaceFirst("_(total|max)$", "");
    return whole.endsWith("_seconds") ? "seconds" : whole.endsWith("_bytes") ? "bytes" : "1";
  }

  private static String labels(String name) {
    return metrics
        .lines()
        .filter(line -> line.matches(name + "(_count)?\\{.*"))
        .flatMap(line -> LABEL.matcher(line).results())
        .map(label -> "`" + label.group(1) + "`")
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(", "));
  }

  @Test
  void leavesNoMetricOut() throws IOException {
    Set<String> served =
        metrics
            .lines()
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .map(line -> line.group(2))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(served).isNotEmpty();
    assertThat(names(page())).containsAll(served);
  }

  /** The names in the tables of the page that are written by hand. */
  private static Set<String> conditional() throws IOException {
    return names(page().substring(page().indexOf(END)));
  }

  private static Set<String> names(String page) {
    return ROW.matcher(page)
        .results()
        .map(row -> row.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Those of Cassandra's driver are checked with a cluster. */
  @Test
  void everyOtherMetricIsInTheSources() throws IOException {
    List<String> literals = literals();
    for (String name : conditional()) {
      String dotted = name.replaceFirst("(_total|_bytes)+$", "").replace('_', '.');
      String ofTopic = dotted.replaceFirst("hourglass\\.kafka\\.", "");
      boolean isOfLibrary =
          dotted.startsWith("hourglass.store.driver.") || name.startsWith(OF_COLLECTOR);
      assertThat(isOfLibrary || literals.contains(dotted) || literals.contains(ofTopic))
          .as(name)
          .isTrue();
    }
  }

  /** All quoted texts of the sources that register metrics. */
  private static List<String> literals() throws IOException {
    List<String> literals = new ArrayList<>();
    for (String module : List.of("ingest", "query", "store/cassandra", "store/embedded")) {
      try (var files = Files.walk(Project.ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          Pattern.compile("\"([a-z.]+)\"")
              .matcher(Files.readString(file))
              .results()
              .forEach(literal -> literals.add(literal.group(1)));
        }
      }
    }
    return literals;
  }

  @Test
  void alertsUseMetricsThatExist() throws IOException {
    for (JsonNode alert : alerts()) {
      assertExists(alert.get("expr").asText());
    }
  }

  @Test
  void theDashboardUsesMetricsThatExist() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(Files.readString(DOCS.resolve("grafana/server.json")));
    List<JsonNode> expressions = dashboard.findValues("expr");
    assertThat(expressions).hasSizeGreaterThan(20);
    for (JsonNode expression : expressions) {
      assertExists(expression.asText());
    }
    for (JsonNode query : dashboard.at("/templating/list").findValues("query")) {
      if (query.has("query")) {
        assertExists(query.get("query").asText());
      }
    }
  }

  private static void assertExists(String expression) throws IOException {
    List<String> used = USED.matcher(expression).results().map(MatchResult::group).toList();
    assertThat(expression).matches(text -> !used.isEmpty() || text.startsWith("up{"));
    Set<String> others = conditional();
    for (String name : used) {
      boolean isShown = metrics.lines().anyMatch(line -> line.matches(name + "[{ ].*"));
      String family = name.replaceFirst("_(count|sum|bucket)$", "");
      assertThat(isShown || others.contains(family)).as(name + " in " + expression).isTrue();
    }
  }

  private static List<JsonNode> alerts() throws IOException {
    List<JsonNode> alerts = new ArrayList<>();
    JsonNode file = YAML.readTree(Files.readString(DOCS.resolve("alerts.yaml")));
    file.get("groups").forEach(group -> group.get("rules").forEach(alerts::add));
    assertThat(alerts).isNotEmpty();
    return alerts;
  }

  @Test
  void everyAlertHasItsSection() throws IOException {
    String operations = Files.readString(DOCS.resolve("operations.md"));
    Set<String> sections =
        Pattern.compile(
                "(?m)^### (Hourglass\\w+)\n\n\\*\\*It means:\\*\\* [^*]+\n\n\\*\\*Do:\\*\\* ")
            .matcher(operations)
            .results()
            .map(section -> section.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> names = new TreeSet<>();
    for (JsonNode alert : alerts()) {
      assertThat(names.add(alert.get("alert").asText())).isTrue();
      assertThat(alert.at("/labels/severity").asText()).isIn("page", "ticket");
      assertThat(alert.at("/annotations/summary").asText()).isNotEmpty();
    }
    assertThat(names).isEqualTo(sections);
  }
}
