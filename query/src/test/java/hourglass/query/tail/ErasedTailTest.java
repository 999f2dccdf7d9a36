package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps that are kept in memory for tails, and events in them that are erased meanwhile. */
class ErasedTailTest {
  private static final int EVENTS = 40;

  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:30:00Z"));
  private final ErasingStore store =
      ErasingStore.over(new OracleStore(clock, Duration.ofSeconds(2)));
  private final SlowLooks looks = new SlowLooks();
  private final TailOptions options = new TailOptions(8, 1, 1_000, 64 << 10, 8, 60_000, 1, 1 << 10);
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TailService service =
      new TailService(
          new TailReader(StoreAccess.of(looks, QueryOptions.DEFAULTS, Answer.THREADS), options),
          options,
          executor);
  private final RowKey row = new RowKey(Hour.of(clock.instant()), "shop", 0);
  private TailPosition before;
  private Columns written;

  /** A store that knows its erasures only when the test lets it. */
  private final class SlowLooks extends ForwardingStore {
    private volatile CompletableFuture<Void> mayLook = CompletableFuture.completedFuture(null);
    private final AtomicInteger slices = new AtomicInteger();

    @Override
    protected WideColumnStore delegate() {
      return store;
    }

    @Override
    public CompletionStage<Object> erasureMark() {
      return mayLook.thenCompose(may -> super.erasureMark());
    }

    @Override
    public CompletionStage<Slice> slice(SliceQuery query) {
      slices.incrementAndGet();
      return super.slice(query);
    }
  }

  @BeforeEach
  void readAStep() {
    service.enter();
    before = service.start().toCompletableFuture().join();
    ColumnsBuilder columns = new ColumnsBuilder(EVENTS, 1_000);
    for (int i = 0; i < EVENTS; i++) {
      byte[] payload = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
      TimeUuid name = TimeUuid.first(Ticks.of(clock.instant()) + i);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    written = columns.build();
    store.write(List.of(new Mutation(row, written))).toCompletableFuture().join();
    clock.pass(Duration.ofSeconds(5));
    await().until(() -> service.head().name().compareTo(written.last()) > 0);
    assertThat(service.keeps(before)).isTrue();
  }

  @AfterEach
  void close() {
    service.leave();
    executor.shutdownNow();
    store.close();
  }

  private void erase(int from, int to) {
    ErasedRow erased = new ErasedRow(row, written.subColumns(from, to).namesOnly());
    TimeUuid id = new TimeUuid(Ticks.of(clock.instant()), 0x9000_0000_0000_0000L);
    store.erase(new Erasure(id, List.of(erased), List.of())).toCompletableFuture().join();
  }

  @Test
  void aTailThatResumesDoesNotReceiveThem() {
    assertThat(next().events()).hasSize(EVENTS);
    erase(10, 20);
    assertThat(next().events())
        .hasSize(EVENTS - 10)
        .noneMatch(
            event -> written.subColumns(10, 20).contains(event.name().ticks(), event.name().lsb()));
  }

  @Test
  void aStepIsNotReadAgainWhileErasuresAreNotKnownYet() {
    TailStep kept = next();
    looks.mayLook = new CompletableFuture<>();
    CompletableFuture<TailStep> again = service.next(before, false).toCompletableFuture();
    assertThat(again).isNotDone();
    looks.mayLook.complete(null);
    assertThat(again.join()).isSameAs(kept);
  }

  @Test
  void aTailInTheMiddleOfAStepWaitsUntilErasuresAreKnown() {
    try (Tail tail =
        service
            .begin(new TailQuery(Selection.ALL, null, before), TypePatterns.ALL)
            .toCompletableFuture()
            .join()) {
      Chunk chunk = new Chunk(1_000);
      assertThat(tail.fill(chunk)).isEqualTo(Progress.FULL);
      int slices = looks.slices.get();
      looks.mayLook = new CompletableFuture<>();
      chunk.clear();
      assertThat(tail.fill(chunk)).isEqualTo(Progress.WAITING);
      assertThat(chunk.length()).isZero();
      CompletableFuture<Void> woken = new CompletableFuture<>();
      tail.whenReady(() -> woken.complete(null));
      looks.mayLook.complete(null);
      woken.join();
      assertThat(tail.fill(chunk)).isEqualTo(Progress.FULL);
      assertThat(looks.slices).hasValue(slices);
    }
  }

  private TailStep next() {
    return service.next(before, false).toCompletableFuture().join();
  }

  @Test
  void aTailInTheMiddleOfAStepDoesNotWriteThem() {
    try (Tail tail =
        service
            .begin(new TailQuery(Selection.ALL, null, before), TypePatterns.ALL)
            .toCompletableFuture()
            .join()) {
      Chunk chunk = new Chunk(1_000);
      assertThat(tail.fill(chunk)).isEqualTo(Progress.FULL);
      assertThat(text(chunk)).contains("\"n\":0}").doesNotContain("\"n\":30}");
      erase(20, EVENTS - 1);
      StringBuilder rest = new StringBuilder();
      await()
          .until(
              () -> {
                chunk.clear();
                tail.fill(chunk);
                return rest.append(text(chunk)).indexOf("\"n\":39}") >= 0;
              });
      assertThat(rest).contains("\"n\":19}").doesNotContain("\"n\":20}", "\"n\":38}");
    }
  }

  private static String text(Chunk chunk) {
    return new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8);
  }
}
