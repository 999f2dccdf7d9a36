package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.load.LoadRunner;
import hourglass.load.command.Figures;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CompareOnStoreTest {
  @TempDir Path folder;

  @Test
  void writesTheSameEventsByEachLayout() throws IOException {
    FakeStore store = new FakeStore();
    Figures layouts = compare(store, "--scenario=retries", "--layouts=hour,type,sharded:4");
    assertThat(store.dropped).hasSize(3);
    Set<Map<String, String>> contents = new HashSet<>();
    store.dropped.forEach(rows -> contents.add(events(rows)));
    assertThat(contents).as("equal for all").hasSize(1);
    assertThat(store.dropped.get(0).keySet()).extracting(RowKey::type).containsExactly("all");
    assertThat(store.dropped.get(1)).hasSize(20);
    assertThat(store.dropped.get(2).keySet())
        .extracting(RowKey::shard)
        .contains(0, 1, 2, 3)
        .doesNotContain(4);
    for (int i = 0; i < 3; i++) {
      Figures layout = layouts.object(List.of("hour", "type", "sharded:4").get(i));
      Map<RowKey, Columns> rows = store.dropped.get(i);
      assertThat(layout.number("rows")).isEqualTo(rows.size());
      assertThat(layout.number("row_columns_max"))
          .isEqualTo(rows.values().stream().mapToInt(Columns::size).max().orElseThrow());
      assertThat(layout.number("row_bytes_max"))
          .isEqualTo(rows.values().stream().mapToInt(Columns::payloadBytes).max().orElseThrow());
      assertThat(layout.object("nodes").names()).containsExactly("node a", "node b", "node c");
      assertThat(layout.object("latency_ms").number("p99")).isPositive();
      assertThat(layout.number("events_failed")).isZero();
    }
    assertThat(layouts.object("hour").number("node_max_over_mean")).isEqualTo(3);
    // The nodes' own counters, of each layout alone.
    assertThat(layouts.object("hour").number("node_batches_max_over_mean")).isEqualTo(3);
    assertThat(layouts.object("type").number("node_batches_max_over_mean")).isLessThan(3);
  }

  private static Map<String, String> events(Map<RowKey, Columns> rows) {
    Map<String, String> events = new java.util.HashMap<>();
    for (Columns columns : rows.values()) {
      for (int i = 0; i < columns.size(); i++) {
        String payload = new String(columns.payload(i), StandardCharsets.UTF_8);
        assertThat(payload).hasSize(200).startsWith("{\"type\":\"").endsWith("}");
        events.put(columns.id(i).toString(), payload);
      }
    }
    return events;
  }

  @Test
  void theWarmUpIsNotMeasured() throws IOException {
    FakeStore store = new FakeStore();
    long start = System.nanoTime();
    Figures layouts = compare(store, "--layouts=type,sharded:4", "--warm-up=1s");
    double elapsed = (System.nanoTime() - start) / 1e9;
    double measured = 0;
    for (int i = 0; i < 2; i++) {
      Figures layout = layouts.object(List.of("type", "sharded:4").get(i));
      assertThat(store.dropped.get(i).values().stream().mapToInt(Columns::size).sum())
          .isEqualTo(8_000);
      assertThat(layout.number("events")).isEqualTo(4_000);
      assertThat(layout.number("seconds")).isGreaterThan(0.9);
      measured += layout.number("seconds");
    }
    assertThat(measured).as("seconds without two warm-ups").isLessThan(elapsed - 1.9);
    assertThat(layouts.object("type").number("row_columns_max")).isEqualTo(8_000);
  }

  @Test
  void histogramsAreWritten() throws IOException {
    Path histograms = folder.resolve("histograms");
    Figures layout =
        compare(new FakeStore(), "--layouts=sharded:4", "--histograms=" + histograms)
            .object("sharded:4");
    assertThat(histograms.resolve("sharded-4.hgrm")).content().contains("#[Mean");
    assertThat(histograms.resolve("sharded-4.hlog")).content().contains("HIST");
    JsonArray bySecond = layout.json().getJsonArray("events_done_by_second");
    assertThat(bySecond.stream().mapToLong(done -> ((Number) done).longValue()).sum())
        .isEqualTo(4_000);
  }

  /** Delayed writes count as late. */
  @Test
  void stallCountsForWaitingBatches() throws IOException {
    AtomicInteger writes = new AtomicInteger();
    FakeStore store =
        new FakeStore() {
          @Override
          CompletionStage<Void> before(List<Mutation> mutations) {
            return writes.getAndIncrement() == 20 ? later(500) : later(0);
          }
        };
    Figures layout =
        compare(store, "--layouts=hour", "--in-flight=1", "--rate=1000").object("hour");
    // A batch each 10 ms: some 50 wait behind the one of half a second.
    assertThat(layout.object("latency_ms").number("max")).isGreaterThanOrEqualTo(500);
    assertThat(layout.object("latency_ms").number("p90")).isGreaterThanOrEqualTo(100);
  }

  private static CompletableFuture<Void> later(long millis) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }

  @Test
  void refusedWritesAreRetried() throws IOException {
    AtomicInteger writes = new AtomicInteger();
    FakeStore store =
        new FakeStore() {
          @Override
          CompletionStage<Void> before(List<Mutation> mutations) {
            return switch (writes.getAndIncrement() % 10) {
              case 3 ->
                  CompletableFuture.failedFuture(
                      new OverloadedException("full", Duration.ofMillis(1)));
              case 7 -> CompletableFuture.failedFuture(new UnavailableException("away"));
              default -> CompletableFuture.completedFuture(null);
            };
          }
        };
    Figures layout = compare(store, "--layouts=type").object("type");
    assertThat(layout.number("events")).isEqualTo(4_000);
    assertThat(layout.number("events_failed")).isZero();
    assertThat(store.dropped.get(0).values().stream().mapToInt(Columns::size).sum())
        .isEqualTo(4_000);
  }

  @Test
  void failedWritesFailTheRun() {
    FakeStore store =
        new FakeStore() {
          @Override
          CompletionStage<Void> before(List<Mutation> mutations) {
            return CompletableFuture.failedFuture(new IllegalStateException("broken"));
          }
        };
    Result result = run(store, "--layouts=hour");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).contains(" 4,000\n");
    assertThat(store.dropped).as("emptied all the same").hasSize(1);
  }

  @Test
  void hoursWithRowsAreRefused() {
    FakeStore store = new FakeStore();
    assertThat(run(store, "--layouts=hour", "--hour=2026-11-20T07").exit()).isZero();
    Map<RowKey, Columns> rows = store.dropped.remove(0);
    rows.forEach((row, columns) -> store.keep(List.of(new Mutation(row, columns))));
    Result result = run(store, "--layouts=hour", "--hour=2026-11-20T07");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err())
        .contains("holds rows of 2026-11-20T07 already, which a comparison would delete");
    assertThat(store.dropped).isEmpty();
  }

  @Test
  void wantsARingOrAStore() {
    LoadRunner run = LoadRunner.load("compare");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("want one of --ring NODES, and a store by --set or --config");
    assertThat(LoadRunner.load("compare", "--ring=3", "--set=a=b").exit()).isEqualTo(2);
  }

  private Figures compare(FakeStore store, String... more) throws IOException {
    Result result = run(store, more);
    assertThat(result.exit()).as(result.err()).isZero();
    return Figures.parse(Files.readAllBytes(folder.resolve("figures.json"))).object("layouts");
  }

  private record Result(int exit, String out, String err) {}

  /** A second of 4,000 events. */
  private Result run(FakeStore store, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new CompareCommand(opener(store)))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    List<String> arguments = new java.util.ArrayList<>(List.of(more));
    arguments.addAll(
        List.of(
            "--set=store.engine=fake",
            "--json=" + folder.resolve("figures.json"),
            "--seconds=1",
            "--give-up-after=20s"));
    if (arguments.stream().noneMatch(argument -> argument.startsWith("--rate"))) {
      arguments.add("--rate=4000");
    }
    if (arguments.stream().noneMatch(argument -> argument.startsWith("--warm-up"))) {
      arguments.add("--warm-up=0s");
    }
    int exit = command.execute(arguments.toArray(String[]::new));
    return new Result(exit, out.toString(), err.toString());
  }

  private static StoreOpener opener(FakeStore store) {
    return new StoreOpener() {
      @Override
      public WideColumnStore open(@Nullable Path config, List<String> assignments) {
        return store;
      }

      @Override
      public CompletionStage<Map<String, Long>> nodeWrites(WideColumnStore opened) {
        return store.nodeWrites();
      }
    };
  }
}
