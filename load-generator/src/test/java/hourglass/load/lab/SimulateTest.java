package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.LoadRunner;
import hourglass.load.command.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulateTest {
  @TempDir Path folder;

  @Test
  void theSameSeedGivesTheSameFigures() throws IOException {
    assertThat(simulate("--seed=3").json()).isEqualTo(simulate("--seed=3").json());
    assertThat(simulate("--seed=3").json()).isNotEqualTo(simulate("--seed=4").json());
  }

  @Test
  void everyEventIsInARowWithinItsTarget() throws IOException {
    Figures figures = simulate("--target-columns=2000", "--spread=2");
    assertThat(figures.number("columns")).isBetween(99_500.0, 100_500.0);
    assertThat(figures.number("rows_over_target")).isZero();
    assertThat(figures.number("row_columns_max")).isBetween(1_000.0, 2_000.0);
    assertThat(figures.number("claim_requests_per_second")).isPositive();
    assertThat(figures.number("claimed_rows_lost_share")).isBetween(0.0, 1.0);
  }

  @Test
  void copiesLoadMoreNodesAndTheDirectoryHasEightPartitions() throws IOException {
    Figures figures = simulate("--replication=3");
    assertThat(figures.number("columns")).isBetween(99_500.0, 100_500.0);
    assertThat(figures.number("node_max_over_mean")).isBetween(1.0, 4.0);
    double writes = figures.number("directory_writes_per_second");
    double inOne = figures.number("directory_partition_writes_per_second_max");
    assertThat(inOne).isBetween(writes / 8, writes);
    assertThat(figures.number("directory_node_writes_per_second_max")).isBetween(inOne, writes);
  }

  /** With fewer rows side by side, each write to a row has more columns. */
  @Test
  void aSmallSpreadMakesLargerWrites() throws IOException {
    assertThat(simulate("--spread=2").number("columns_a_write"))
        .isGreaterThan(simulate("--spread=0").number("columns_a_write"));
  }

  @Test
  void theFiguresArePrinted() {
    LoadRunner run = run(Stream.of());
    assertThat(run.exit()).isZero();
    assertThat(run.out().lines()).anyMatch(line -> line.matches("ring_nodes +20"));
    assertThat(run.out().lines())
        .anyMatch(line -> line.matches("node_max_over_mean +\\d\\.\\d{3}"));
    assertThat(run(Stream.of("--replication=21")).err()).contains("want 1 to 20");
  }

  private Figures simulate(String... more) throws IOException {
    Path json = folder.resolve("figures.json");
    LoadRunner run = run(Stream.concat(Stream.of(more), Stream.of("--json=" + json)));
    assertThat(run.exit()).as(run.err()).isZero();
    return Figures.parse(Files.readAllBytes(json));
  }

  private static LoadRunner run(Stream<String> more) {
    Stream<String> small =
        Stream.of(
            "simulate",
            "--ring=20",
            "--writers=5",
            "--rate=10000",
            "--batch=500",
            "--types=30",
            "--warm-up=3",
            "--seconds=10");
    return LoadRunner.load(Stream.concat(small, more).toArray(String[]::new));
  }
}
