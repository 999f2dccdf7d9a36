package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.ItemRules;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowPlacementTest extends IngestFixture {
  private static final int TARGET = 100;

  @BeforeEach
  void planRows() {
    shards = FixedShards.PLANNED;
    rowsOf(TARGET);
  }

  private void rowsOf(int target) {
    planner = new PlannerOptions(target, 1 << 20, 0);
    service = service();
  }

  private static String events(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "{\"id\":\"e" + i + "\",\"type\":\"t\"," + AT + "}")
        .collect(Collectors.joining("\n"));
  }

  private CompletableFuture<Verdicts> pushLater(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return push(
        Body.copyOf(bytes), BodyFormat.NDJSON, ItemRules.of(mapping), null, Client.open("test"));
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>();
    store
        .rows()
        .values()
        .forEach(
            row -> IntStream.range(0, row.size()).forEach(i -> names.add(row.id(i).toString())));
    return names;
  }

  @Test
  void rowsExceedTheTargetByATenthAtMost() {
    assertThat(lines(events(0, 5_000)).accepted()).isEqualTo(5_000);
    for (int i = 0; i < 100; i++) {
      lines(events(5_000 + 7 * i, 5_000 + 7 * i + 7));
    }
    assertThat(names()).hasSize(5_700);
    assertThat(store.rows().values()).allMatch(row -> row.size() <= 1.1 * TARGET);
    assertThat(store.rows()).hasSizeLessThan(75);
  }

  @Test
  void repeatAfterRestartAddsNoEvent() {
    lines(events(0, 500));
    lines(events(0, 500));
    service = service();
    lines(events(0, 500));
    assertThat(names()).hasSize(500);
    assertThat(store.rows().values()).allMatch(row -> row.size() <= 1.1 * TARGET);
  }

  @Test
  void quietTypeKeepsOneRowOverRestarts() {
    rowsOf(10 * TARGET);
    for (int i = 0; i < 10; i++) {
      service = service();
      lines(events(5 * i, 5 * i + 5));
    }
    assertThat(store.rows()).hasSize(1);
  }

  @Test
  void waitingForAClaimBlocksNoThread() {
    CompletableFuture<Void> claimed = new CompletableFuture<>();
    store.answerClaims(claimed);
    CompletableFuture<Verdicts> first = pushLater(events(0, 50));
    CompletableFuture<Verdicts> second = pushLater(events(50, 100));
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    assertThat(store.writes()).isZero();
    store.answerClaims(CompletableFuture.completedFuture(null));
    claimed.complete(null);
    assertThat(first.join().accepted()).isEqualTo(50);
    assertThat(second.join().accepted()).isEqualTo(50);
    assertThat(names()).hasSize(100);
  }

  @Test
  void claimFailureFailsItsWrites() {
    store.answerClaims(CompletableFuture.failedFuture(new UnavailableException("away")));
    assertThat(pushLater(events(0, 50)))
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withMessageContaining("away");
    store.answerClaims(CompletableFuture.completedFuture(null));
    assertThat(pushLater(events(0, 50)).join().accepted()).isEqualTo(50);
    assertThat(names()).hasSize(50);
  }

  @Test
  void refusedWritesUseNoCapacity() {
    rowsOf(10 * TARGET);
    lines(events(0, 10));
    store.answer(
        CompletableFuture.failedFuture(new OverloadedException("full", Duration.ofSeconds(1))));
    for (int i = 0; i < 200; i++) {
      assertThat(pushLater(events(10, 20))).isCompletedExceptionally();
    }
    store.answer(CompletableFuture.completedFuture(null));
    lines(events(10, 20));
    assertThat(store.rows()).hasSize(1);
  }

  @Test
  void fixedTypeIsNotPlanned() {
    shards = 1;
    service = service();
    lines(events(0, 500));
    assertThat(store.rows()).hasSize(1);
    assertThat(List.copyOf(store.rows().values()).get(0).size()).isEqualTo(500);
  }
}
