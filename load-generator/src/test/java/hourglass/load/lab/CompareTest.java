package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hourglass.load.LoadRunner;
import hourglass.load.command.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CompareTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12, 100, 200})
  void oneHotTypeIsOneHotNode(int nodes) throws IOException {
    Figures layouts = compare("--ring=" + nodes, "--layouts=hour,type,sharded:64");
    for (String name : List.of("hour", "type")) {
      Figures layout = layouts.object(name);
      assertThat(layout.number("node_max_over_mean")).isEqualTo(nodes);
      assertThat(layout.number("node_max_over_mean_worst_second")).isEqualTo(nodes);
      assertThat(layout.number("rows")).isEqualTo(1);
      assertThat(layout.number("row_columns_max")).isEqualTo(60_000);
      assertThat(layout.object("nodes").names()).hasSize(nodes);
    }
    Figures sharded = layouts.object("sharded:64");
    assertThat(sharded.number("rows")).isEqualTo(64);
    assertThat(sharded.number("row_columns_max")).isBetween(938.0, 1_100.0);
    assertThat(sharded.number("node_max_over_mean")).isGreaterThan(1).isLessThan(nodes);
    assertThat(sum(sharded, "writes")).isEqualTo(60_000);
  }

  @Test
  void copiesAreWritesToo() throws IOException {
    Figures layout = compare("--ring=5", "--layouts=type", "--replication=3").object("type");
    assertThat(sum(layout, "writes")).isEqualTo(180_000);
    assertThat(sum(layout, "bytes")).isEqualTo(180_000 * 200.0);
    assertThat(layout.number("node_max_over_mean")).isCloseTo(5 / 3.0, within(1e-9));
    assertThat(layout.number("row_columns_max")).isEqualTo(60_000);
  }

  private static double sum(Figures layout, String figure) {
    Figures nodes = layout.object("nodes");
    return nodes.names().stream().mapToDouble(node -> nodes.object(node).number(figure)).sum();
  }

  @Test
  void repeatsMakeNoRowWider() throws IOException {
    Figures layout = compare("--ring=3", "--layouts=hour", "--scenario=retries").object("hour");
    Figures widest = layout.objects("widest_rows").get(0);
    assertThat(widest.number("writes")).isCloseTo(60_000, within(10.0));
    assertThat(widest.number("columns") / widest.number("writes"))
        .isCloseTo(1 - 0.4 / 1.4, within(0.02));
  }

  /** Nodes and times only count measured events. */
  @Test
  void theWarmUpIsNotMeasured() throws IOException {
    Figures layout = compare("--ring=3", "--layouts=type", "--warm-up=5s").object("type");
    assertThat(layout.number("events")).isEqualTo(60_000);
    assertThat(sum(layout, "writes")).isEqualTo(60_000);
    assertThat(layout.number("row_columns_max")).isEqualTo(90_000);
    assertThat(layout.number("row_writes_per_second_max")).isEqualTo(6_000);
    assertThat(layout.number("seconds")).isEqualTo(10);
  }

  @Test
  void thePageStandsAlone() throws IOException {
    compare("--ring=3", "--layouts=hour,sharded:4");
    String page = Files.readString(folder.resolve("page.html"));
    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("\"title\" : \"hot-type on a simulated ring of 3 nodes")
        .contains("uPlot", "prefers-color-scheme: dark", "Latency by percentile", "Rows by width")
        .doesNotContain("<script src", "<link", "href=", "@import", "${report", "${uplot");
    String report = page.substring(page.indexOf("id=\"report\""), page.indexOf("</script>"));
    assertThat(report).doesNotContain("NaN", "Infinity");
  }

  /** The lines of the phases follow those of the whole run. */
  @Test
  void thePhasesAreInTheTable() {
    LoadRunner run =
        run("compare", "--ring=3", "--scenario=burst", "--layouts=hour,sharded:4", "--rate=500");
    assertThat(run.out().lines().skip(2).map(line -> line.substring(0, 23).strip()))
        .containsExactly(
            "layout          phase",
            "hour",
            "sharded:4",
            "hour             calm",
            "sharded:4        calm",
            "hour            burst",
            "sharded:4       burst",
            "hour       calm again",
            "sharded:4  calm again");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments                         | exit | what is said
        "--ring=3 --layouts=rows              | 2 | --layouts: rows, want hour, type, sharded:N",
        "--ring=3 --layouts=sharded:9999      | 2 | --layouts: sharded:9999",
        "--ring=3 --layouts=hour,hour         | 2 | --layouts: hour, want each once",
        "--ring=0                             | 2 | --ring: 0, want 1 to 1000",
        "--ring=3 --replication=4             | 2 | --replication: 4",
        "--ring=3 --tokens=odd                | 2 | expected one of [allocated, even, random]",
        "--ring=3 --scenario=nothing          | 2 | nothing, want one of [steady, hot-type,",
        "--ring=3 --html=no/folder            | 2 | --html: no/folder, want a file in a folder",
        "--ring=3 --traffic=events.ndjson     | 2 | --traffic",
        "--ring=3 --node-rate=8000            | 2 | --node-rate",
        "--ring=3 --rate=1e7 --seconds=3600   | 1 | events, want at most 5,000,000",
      })
  void exitCodes(String arguments, int exit, String said) {
    LoadRunner run = run(("compare " + arguments).split(" +"));
    assertThat(run.exit()).isEqualTo(exit);
    assertThat(run.err()).contains(said);
    assertThat(run.out()).isEmpty();
  }

  /** Ten seconds of 6,000 events each, cold; returns the figures by layout. */
  private Figures compare(String... more) throws IOException {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "compare",
                "--json=" + folder.resolve("figures.json"),
                "--html=" + folder.resolve("page.html"),
                "--seconds=10"));
    arguments.addAll(List.of(more));
    if (arguments.stream().noneMatch(argument -> argument.startsWith("--rate"))) {
      arguments.add("--rate=6000");
    }
    if (arguments.stream().noneMatch(argument -> argument.startsWith("--warm-up"))) {
      arguments.add("--warm-up=0s");
    }
    LoadRunner run = run(arguments.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("node max/mean");
    return Figures.parse(Files.readAllBytes(folder.resolve("figures.json"))).object("layouts");
  }

  private static LoadRunner run(String... arguments) {
    return LoadRunner.load(arguments);
  }
}
