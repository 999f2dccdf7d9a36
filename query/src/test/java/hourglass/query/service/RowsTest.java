package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.BadParameterException;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.advice.RowState;
import hourglass.query.advice.RowsReport;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.query.advice.RowsReport.RowReport;
import hourglass.store.ForwardingStore;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Seed;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.util.Lists;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The directory with claims, from a store that counts requests. */
class RowsTest {
  private static final Hour HOUR = Model.FIRST_HOUR;
  private static final Clock IN_THE_HOUR =
      Clock.fixed(HOUR.start().plusSeconds(1800), ZoneOffset.UTC);

  private final Random random = Seed.random(this);
  private final OracleStore oracle = new OracleStore();
  private final ClaimStore store = new ClaimStore(oracle);
  private final Model model = new Model(store, random);

  /** The test decides the time of answers; by default they are immediate. */
  private static final class ClaimStore extends ForwardingStore {
    final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    final AtomicInteger underWay = new AtomicInteger();
    CompletableFuture<?> gate = CompletableFuture.completedFuture(null);

    /** Later answers wait for this one. */
    final CompletableFuture<Void> late = new CompletableFuture<>();

    int inTimeMax = Integer.MAX_VALUE;
    final AtomicInteger placed = new AtomicInteger();
    private final WideColumnStore store;

    ClaimStore(WideColumnStore store) {
      this.store = store;
    }

    @Override
    protected WideColumnStore delegate() {
      return store;
    }

    @Override
    public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
      asked.add(typeHour.hour() + " " + typeHour.type());
      underWay.incrementAndGet();
      CompletableFuture<?> opens = asked.size() > inTimeMax ? late : gate;
      return opens
          .thenCompose(open -> store.claims(typeHour))
          .whenComplete((done, failed) -> underWay.decrementAndGet());
    }

    @Override
    public List<String> placement(RowKey row) {
      placed.incrementAndGet();
      return store.placement(row);
    }

    @Override
    public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims) {
      throw new AssertionError("a query tells nothing");
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private CompletionStage<RowsReport> rows(QueryOptions options) {
    return Answer.start(
        thread ->
            new QueryService(store, options, IN_THE_HOUR, Answer.THREADS)
                .rows(Selection.ALL, thread)
                .value());
  }

  private RowsReport rows() {
    return rows(QueryOptions.builder().build()).toCompletableFuture().join();
  }

  /** Later types have wider columns. */
  private void types(int types) {
    for (int type = 0; type < types; type++) {
      for (int i = 0; i <= type; i++) {
        add("t" + type, 0, i);
      }
    }
  }

  private void add(String type, int shard, int second) {
    model.add(TimeUuid.first(HOUR.startTicks() + second * 10_000_000L), type, shard, "{}");
  }

  @Test
  void rowsReportHowFullTheyAre() {
    model.addRandom(500, 2);
    oracle.sealNow();
    add("late", 0, 0);
    List<RowReport> rows = Lists.newArrayList(rows().rows());
    assertThat(rows)
        .extracting(row -> row.fill().entry().row())
        .isSorted()
        .hasSizeGreaterThan(2 * 4);
    for (RowReport row : rows) {
      boolean late = row.fill().entry().row().type().equals("late");
      assertThat(row.state() == RowState.SEALED).isEqualTo(!late);
      double byColumns = row.fill().columns() / (double) PlannerOptions.DEFAULTS.targetColumns();
      double byBytes = row.fill().bytes() / (double) PlannerOptions.DEFAULTS.targetBytes();
      assertThat(row.fill().fill()).isEqualTo(Math.max(byColumns, byBytes));
    }
    assertThat(rows.stream().mapToLong(row -> row.fill().columns()).sum())
        .as("events, and repeats in other shards")
        .isGreaterThanOrEqualTo(model.select(Selection.ALL, Order.ASCENDING).size());
  }

  @Test
  void claimsNameTheWriters() {
    ShardClaim shared = new ShardClaim(0, "a", false, 50, 5_000);
    ShardClaim sole = new ShardClaim(3, "b", true, 100_000, 10 << 20);
    oracle.claim(new TypeHour(HOUR, "t"), List.of(shared, sole));
    add("t", 0, 1);
    add("t", 3, 2);
    RowsReport report = rows();
    assertThat(Lists.newArrayList(report.rows()).get(0).writers()).containsExactly(shared);
    assertThat(Lists.newArrayList(report.rows()).get(0).state()).isEqualTo(RowState.SHARED);
    assertThat(Lists.newArrayList(report.rows()).get(1).writers()).containsExactly(sole);
    assertThat(Lists.newArrayList(report.rows()).get(1).state()).isEqualTo(RowState.FILLING);
    assertThat(report.types()).extracting(type -> type.claims().writers()).containsExactly(2);
  }

  @Test
  void claimsAreReadOncePerTypeHour() {
    types(2);
    oracle.sealNow();
    for (int shard = 0; shard < 5; shard++) {
      add("t1", shard, 7);
      add("t9", shard, 7);
    }
    RowsReport report = rows();
    assertThat(store.asked).containsExactlyInAnyOrder(HOUR + " t1", HOUR + " t9");
    assertThat(report.claimsAsked()).isEqualTo(2);
    assertThat(report.claimsAnswered()).isEqualTo(2);
    assertThat(Lists.newArrayList(report.types()).get(0).claims().whyUnknown())
        .isEqualTo("all rows are sealed");
  }

  @Test
  void claimsAreReadForTheWidestTypesOnly() {
    types(7);
    RowsReport report =
        rows(QueryOptions.builder().claims(3).fanOut(1).build()).toCompletableFuture().join();
    assertThat(store.asked).containsExactly(HOUR + " t6", HOUR + " t5", HOUR + " t4");
    assertThat(report.claimsAsked()).isEqualTo(7);
    assertThat(report.claimsAnswered()).isEqualTo(3);
    assertThat(Lists.newArrayList(report.types()).get(0).claims().whyUnknown())
        .isEqualTo("claims are read of the widest 3 only");
    assertThat(report.rows()).hasSize(7);
  }

  @Test
  void claimsAreReadConcurrentlyWithinTheFanOut() {
    types(20);
    CompletableFuture<Void> gate = new CompletableFuture<>();
    store.gate = gate;
    CompletableFuture<RowsReport> report =
        rows(QueryOptions.builder().fanOut(5).build()).toCompletableFuture();
    await().until(() -> store.underWay.get() == 5);
    assertThat(report).isNotDone();
    gate.complete(null);
    assertThat(report.join().claimsAnswered()).isEqualTo(20);
    assertThat(store.asked).hasSize(20);
  }

  @Test
  void failedClaimsAreReportedAndEndTheReading() {
    types(20);
    store.gate = CompletableFuture.failedFuture(new UnavailableException("the table is away"));
    RowsReport report = rows();
    assertThat(report.rows()).hasSize(20).allMatch(row -> row.writers() == null);
    assertThat(report.rows()).allMatch(row -> row.state() == RowState.OPEN);
    assertThat(report.types())
        .extracting(type -> type.claims().whyUnknown())
        .containsOnly("claims could not be read: the table is away");
    assertThat(report.claimsAsked()).isEqualTo(20);
    assertThat(report.claimsAnswered()).isZero();
    assertThat(store.asked).hasSize(1);
  }

  @Test
  void slowClaimsDoNotDelayTheAnswer() {
    types(3);
    store.gate = new CompletableFuture<>();
    RowsReport report =
        rows(QueryOptions.builder().storeTimeoutMillis(1).build()).toCompletableFuture().join();
    assertThat(report.types())
        .extracting(type -> type.claims().whyUnknown())
        .containsOnly("claims could not be read: the store did not answer in time");
  }

  /** Answers so far are reported; the rest is not awaited. */
  @Test
  void allClaimsTogetherHaveOneDeadline() {
    types(20);
    store.inTimeMax = 3;
    RowsReport report =
        rows(QueryOptions.builder().fanOut(2).claimsTimeoutMillis(20).build())
            .toCompletableFuture()
            .join();
    assertThat(report.rows()).hasSize(20);
    assertThat(report.claimsAsked()).isEqualTo(20);
    assertThat(report.claimsAnswered()).isEqualTo(3);
    assertThat(report.types())
        .extracting(type -> type.claims().whyUnknown())
        .containsOnly(null, "claims could not be read: the store did not answer in time");
    store.late.complete(null);
    assertThat(store.underWay).hasValue(0);
    assertThat(store.asked).as("no more after the deadline").hasSize(5);
  }

  @Test
  void internalFailuresAreOnlyLogged() {
    types(1);
    store.gate = CompletableFuture.failedFuture(new IllegalStateException("10.0.0.7: frame 3"));
    assertThat(rows().types())
        .extracting(type -> type.claims().whyUnknown())
        .containsExactly("claims could not be read: the server's log says why");
  }

  @Test
  void theReportIsComputedLazily() {
    types(2);
    RowsReport report = rows();
    assertThat(store.placed).as("before it is walked").hasValue(0);
    assertThat(Lists.newArrayList(report.types())).hasSize(2);
    assertThat(store.placed).hasPositiveValue();
  }

  @Test
  void growthIsMeasuredBetweenDirectoryReads() {
    TestClock clock = new TestClock(IN_THE_HOUR.instant());
    QueryService service =
        new QueryService(store, QueryOptions.builder().build(), clock, Answer.THREADS);
    add("t", 0, 1);
    Lists.newArrayList(
        Answer.start(thread -> service.rows(Selection.ALL, thread).value())
            .toCompletableFuture()
            .join()
            .rows());
    for (int second = 2; second <= 51; second++) {
      add("t", 0, second);
    }
    CompletableFuture<Void> gate = new CompletableFuture<>();
    store.gate = gate;
    clock.pass(Duration.ofSeconds(10));
    CompletionStage<RowsReport> report =
        Answer.start(thread -> service.rows(Selection.ALL, thread).value());
    await().until(() -> store.underWay.get() == 1);
    clock.pass(Duration.ofSeconds(15));
    gate.complete(null);
    assertThat(Lists.newArrayList(report.toCompletableFuture().join().rows()).get(0).growth())
        .isEqualTo(new Growth(5, 10));
  }

  @Test
  void rowsStayWithinTheirBound() {
    types(4);
    assertThatThrownBy(
            () -> rows(QueryOptions.builder().rows(3).build()).toCompletableFuture().join())
        .hasRootCauseInstanceOf(BadParameterException.class)
        .hasMessageContaining("from, to: more than 3 rows");
  }
}
