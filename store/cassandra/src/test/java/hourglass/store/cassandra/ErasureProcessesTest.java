package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.cassandra.Sealer.Step;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.cassandra.erasure.SeenErasures;
import hourglass.store.cassandra.rows.PackedNames;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An erasure that began in one process holds in another, which also finishes it. */
class ErasureProcessesTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Hour FIRST = Hour.parse("2026-11-20T08");
  private static final AtomicInteger HOURS = new AtomicInteger();
  private static final Duration SEAL_AFTER = Duration.ofMinutes(10);

  private final Hour hour = new Hour(FIRST.epochHours() + HOURS.incrementAndGet());
  private final RowKey row = new RowKey(hour, "checkout", 0);
  private final TestClock clock = new TestClock(hour.start().plusSeconds(1_800));
  private CassandraStore a;
  private CassandraStore b;

  @BeforeEach
  void openBoth() {
    a = open(clock, Retention.DEFAULTS);
    b = open(Clock.offset(clock, Duration.ofMinutes(4)), Retention.DEFAULTS);
  }

  @AfterEach
  void closeBoth() {
    join(b.drop(hour));
    a.close();
    b.close();
  }

  private static CassandraStore open(Clock ofProcess, Retention retention) {
    return open(ofProcess, retention, Duration.ofDays(30));
  }

  private static CassandraStore open(Clock ofProcess, Retention retention, Duration remember) {
    return OneNode.connected(
        CassandraStore.open(
            OneNode.options(KEYSPACE)
                .sealAfter(SEAL_AFTER)
                .sealEvery(Duration.ofDays(1))
                .trustFor(Duration.ofMillis(300))
                .eraseAfter(Duration.ofMillis(600))
                .retention(retention)
                .remember(remember)
                .build(),
            ofProcess,
            System::nanoTime,
            new SimpleMeterRegistry()));
  }

  @Test
  void whatBeganInOneProcessIsHiddenAndRefusedInAnother() {
    write(a, seconds(0, 20));
    ErasingStore other = ErasingStore.over(b);
    assertThat(read(other)).hasSize(20);
    join(a.erasures().begin(erasure(seconds(0, 10))));
    assertThat(read(other)).isEqualTo(texts(seconds(10, 20)));
    write(other, seconds(0, 25));
    assertThat(other.repeats()).isEqualTo(10);
    assertThat(read(other)).isEqualTo(texts(seconds(10, 25)));
  }

  @Test
  void aWriteThatPassedTheFilterBeforeIsRefusedWhenItIsSent() {
    write(a, seconds(0, 20));
    join(a.erasures().begin(erasure(seconds(0, 10))));
    RowKey otherRow = new RowKey(hour, "checkout", 5);
    for (RowKey each : List.of(row, otherRow)) {
      CompletionStage<Void> late = b.write(List.of(new Mutation(each, seconds(9, 11))));
      assertThatThrownBy(() -> join(late))
          .hasCauseInstanceOf(UnavailableException.class)
          .hasMessageContaining("erased while they were written");
    }
    assertThat(new StoredRow(KEYSPACE, otherRow).packs()).isEmpty();
  }

  @Test
  void aRefusedWriteLeavesNoErasedName() {
    write(a, seconds(0, 20));
    Erasure erasure = erasure(seconds(0, 10));
    join(a.erasures().begin(erasure));
    assertThatThrownBy(() -> write(b, seconds(0, 15)))
        .hasCauseInstanceOf(UnavailableException.class);
    join(a.erasures().rewrite(erasure.id()));
    awaitDone(a, erasure);
    join(b.publishNow());
    assertErasedEverywhere(seconds(0, 10));
    List<Columns> late = lateNames();
    assertThat(late).as("only the first write is recorded").hasSize(1);
    assertThat(rest(late.get(0), seconds(0, 10)).size()).isEqualTo(20);
  }

  /** All requests of the process wait, as while its nodes are slow, until the erasure is done. */
  @Test
  void aRecordThatWaitsLeavesOutNamesThatWereErasedMeanwhile() {
    write(a, seconds(0, 20));
    RequestWindow writes = b.openTables().cql().writes();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    while (writes.waiting() == 0) {
      CompletableFuture<Void> other = new CompletableFuture<>();
      others.add(other);
      var unused = writes.run(() -> other);
    }
    CompletionStage<Void> waits = b.write(List.of(new Mutation(row, seconds(0, 15))));
    Awaitility.await().until(() -> writes.waiting() > 1);
    erase(a, erasure(seconds(0, 10)));
    others.forEach(other -> other.complete(null));
    assertThatThrownBy(() -> join(waits)).hasCauseInstanceOf(UnavailableException.class);
    for (Columns names : lateNames()) {
      assertThat(rest(names, seconds(0, 10)).size()).isEqualTo(names.size());
    }
    assertThat(lateNames().stream().map(Columns::size)).containsExactlyInAnyOrder(20, 5);
  }

  @Test
  void readersMeanwhileGetWholeAnswers() {
    for (int i = 0; i < 40; i++) {
      write(i % 2 == 0 ? a : b, seconds(i * 20, i * 20 + 20));
    }
    Columns gone = some(seconds(0, 800), 7);
    List<String> left = texts(rest(seconds(0, 800), gone));
    AtomicBoolean ends = new AtomicBoolean();
    List<CompletableFuture<Integer>> readers = new ArrayList<>();
    for (CassandraStore store : List.of(a, b)) {
      for (Order order : Order.values()) {
        readers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  int reads = 0;
                  for (; !ends.get(); reads++) {
                    assertThat(read(store, order, 100)).containsAll(left);
                  }
                  return reads;
                }));
      }
    }
    erase(a, erasure(gone));
    ends.set(true);
    assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isPositive());
    assertThat(read(a)).isEqualTo(left);
    assertThat(read(b)).isEqualTo(left);
    assertThat(read(b, Order.DESCENDING, 50)).hasSameElementsAs(left);
  }

  @Test
  void aReadDuringWhichADeletionBeginsIsRepeated() {
    write(a, seconds(0, 10));
    AtomicInteger asked = new AtomicInteger();
    DirectoryReads reads =
        new DirectoryReads(
            a::openTables,
            a.directory(),
            System::nanoTime,
            Duration.ofHours(1).toNanos(),
            () -> {
              int times = asked.getAndIncrement();
              if (times == 1) { // the first read has ended
                write(a, seconds(10, 20));
              }
              return CompletableFuture.completedFuture(times == 0 ? 0L : 1L);
            });
    SliceQuery all =
        new SliceQuery(row, ColumnRange.of(hour), Order.ASCENDING, 100, Projection.COLUMNS);
    assertThat(join(reads.slice(all)).columns().size()).isEqualTo(20);
    assertThat(asked.get()).isEqualTo(4);
  }

  /** That sealer read all columns before the erasure, and its clock is ahead. */
  @Test
  void aSealerThatOversleepsAnErasureDoesNotBringColumnsBack() {
    write(a, seconds(0, 300));
    Columns gone = some(seconds(0, 300), 10);
    awaitQuiet();
    AtomicInteger seals = new AtomicInteger();
    Erasure erasure = erasure(gone);
    Sealer sleepy =
        b.newSealer(
            step -> {
              if (step == Step.SEAL_CHECKED && seals.getAndIncrement() == 0) {
                erase(a, erasure);
              }
            });
    sleepy.pass(b.openTables());
    assertThat(seals.get()).isPositive();
    assertThat(value(erasure, "round").getInt(0)).as("its pages never counted").isEqualTo(1);
    List<String> left = texts(rest(seconds(0, 300), gone));
    assertThat(read(a)).isEqualTo(left);
    assertThat(read(b)).isEqualTo(left);
    assertThat(entry(b).sealed()).isTrue();
    assertThat(entry(b).columns()).isEqualTo(left.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"hidden", "rewriting", "deleting"})
  void anotherProcessFinishesWhatOneBegan(String state) {
    write(a, seconds(0, 300));
    seal(a);
    write(a, seconds(290, 400));
    Columns gone = some(seconds(0, 400), 3);
    Erasure erasure = erasure(gone);
    try (CassandraStore dying = open(clock, Retention.DEFAULTS)) {
      join(dying.erasures().begin(erasure));
      if (!state.equals("hidden")) {
        join(dying.erasures().rewrite(erasure.id()));
      }
      Awaitility.await().until(() -> stateOf(erasure).equals(state));
    }
    awaitDone(b, erasure);
    List<String> left = texts(rest(seconds(0, 400), gone));
    assertThat(read(a)).isEqualTo(left);
    assertThat(read(b)).isEqualTo(left);
    assertErasedEverywhere(gone);
  }

  @Test
  void allTablesLoseTheColumns() {
    write(a, seconds(0, 300));
    try (CassandraStore longer =
        open(clock, new Retention(Duration.ofDays(60), Map.of(), Duration.ofDays(3)))) {
      write(longer, seconds(100, 400));
    }
    clock.set(hour.end().plus(SEAL_AFTER)); // what is written now comes late
    write(a, seconds(380, 600));
    seal(b);
    write(b, seconds(590, 620));
    Columns gone = some(seconds(0, 620), 2);
    join(a.firstTimes(untimed(some(seconds(0, 620), 40)), SharedRoom.NOBODY));
    List<Integer> sizes = lateNames().stream().map(Columns::size).toList();
    assertThat(sizes).isNotEmpty();
    erase(b, erasure(gone));
    assertThat(read(a)).isEqualTo(texts(rest(seconds(0, 620), gone)));
    assertErasedEverywhere(gone);
    assertThat(rows("SELECT * FROM %s.first_times")).isEmpty();
    List<Columns> late = lateNames();
    for (Columns names : late) {
      assertThat(rest(names, gone).size()).isEqualTo(names.size());
    }
    assertThat(late.stream().map(Columns::size))
        .as("a tail goes on from the number of names that it has read")
        .containsExactlyElementsOf(sizes);
  }

  private List<Columns> lateNames() {
    return rows("SELECT row, names FROM %s.arrivals").stream()
        .filter(each -> row.toString().equals(each.getString(0)))
        .map(each -> PackedNames.decode(each.getByteBuffer(1), "arrivals"))
        .toList();
  }

  /** Two payloads of a name keep their order when they are blanked, or change it. */
  @ParameterizedTest
  @CsvSource({"false, a", "false, z", "true, a", "true, z"})
  void aBlankedColumnLeavesEveryCopyOfItsPayload(boolean isSealed, String member) {
    Columns before = column(5, "{\"user\":\"somebody@example.org\",\"m\":1}");
    write(a, before);
    write(b, column(5, "{\"user\":\"else@example.org\",\"" + member + "\":12}"));
    write(b, seconds(6, 30));
    if (isSealed) {
      seal(a);
    }
    erase(a, new Erasure(id(), List.of(new ErasedRow(row, before.namesOnly())), List.of("user")));
    assertThat(read(a).get(0)).contains("\"user\":null");
    assertThat(read(a)).hasSize(25);
    for (Row pack : rows("SELECT body FROM %s.packs_keep WHERE row = '" + row + "'")) {
      assertThat(UTF_8.decode(pack.getByteBuffer(0)).toString()).doesNotContain("example.org");
    }
  }

  @Test
  void emptyRowsAreReadAndWrittenAgain() {
    write(a, seconds(0, 50));
    seal(a);
    erase(a, erasure(seconds(0, 50)));
    assertThat(read(a)).isEmpty();
    assertThat(read(b)).isEmpty();
    assertErasedEverywhere(seconds(0, 50));
    write(b, seconds(60, 80));
    assertThat(read(a)).isEqualTo(texts(seconds(60, 80)));
    seal(b);
    assertThat(read(a)).isEqualTo(texts(seconds(60, 80)));
  }

  @Test
  void erasuresOfOneRowInSeveralProcessesAllEnd() {
    write(a, seconds(0, 200));
    seal(b);
    write(b, seconds(200, 300));
    Columns all = seconds(0, 300);
    Erasure first = erasure(some(all, 2));
    Erasure second = erasure(some(all, 3));
    Erasure blanking =
        new Erasure(id(), List.of(new ErasedRow(row, some(all, 5).namesOnly())), List.of("second"));
    CompletableFuture.allOf(
            ErasingStore.over(a).erase(first).toCompletableFuture(),
            ErasingStore.over(b).erase(second).toCompletableFuture(),
            ErasingStore.over(b).erase(blanking).toCompletableFuture())
        .join();
    for (Erasure each : List.of(first, second, blanking)) {
      awaitDone(b, each);
    }
    Columns rest = rest(rest(all, some(all, 2)), some(all, 3));
    Columns blanked = some(all, 5);
    List<String> left = new ArrayList<>();
    for (int i = 0; i < rest.size(); i++) {
      boolean isBlank = blanked.contains(rest.ticks(i), rest.lsb(i));
      left.add(isBlank ? "{\"second\":null}" : new String(rest.payload(i), UTF_8));
    }
    assertThat(read(a)).isEqualTo(left);
    assertThat(read(b)).isEqualTo(left);
  }

  @Test
  void anUnfinishedDropIsTheReasonUntilItIsFinished() {
    write(a, seconds(0, 20));
    join(b.openTables().hours().putDropped(hour, 1)); // as by a process that ended then
    Awaitility.await().until(() -> read(a).isEmpty());
    Erasure erasure = erasure(seconds(0, 10));
    join(ErasingStore.over(a).erase(erasure));
    ErasedColumns hidden = join(b.erasures().current());
    Awaitility.await()
        .until(() -> String.valueOf(status(b, erasure).failure()).contains("drop it again"));
    assertThat(join(b.erasures().current())).isSameAs(hidden);
    assertThat(status(b, erasure).state()).isEqualTo(ErasureStatus.State.REWRITING);
    join(b.drop(hour));
    awaitDone(b, erasure);
    assertThat(status(b, erasure).failure()).isNull();
    assertThat(new StoredRow(KEYSPACE, row).packs()).isEmpty();
  }

  @Test
  void aRowThatFailsDoesNotKeepOthersFromBeingFinished() {
    write(a, seconds(0, 20));
    Hour other = new Hour(FIRST.epochHours() - HOURS.incrementAndGet());
    RowKey failing = new RowKey(other, "checkout", 0);
    ColumnsBuilder builder = new ColumnsBuilder(1, 2);
    builder.add(other.startTicks(), 0x9000_0000_0000_0000L, new byte[] {'{', '}'}, 0, 2);
    Columns one = builder.build();
    join(a.write(List.of(new Mutation(failing, one))));
    join(b.openTables().hours().putDropped(other, 1)); // as by a process that ended then
    Awaitility.await().until(() -> join(a.rows(other)).isEmpty());
    join(a.write(List.of(new Mutation(failing, one)))); // to the generation after the drop
    Erasure erasure =
        new Erasure(
            id(),
            List.of(
                new ErasedRow(failing, one.namesOnly()),
                new ErasedRow(row, seconds(0, 10).namesOnly())),
            List.of());
    join(ErasingStore.over(a).erase(erasure));
    Awaitility.await()
        .until(() -> String.valueOf(status(b, erasure).failure()).contains("drop it again"));
    assertThat(new StoredRow(KEYSPACE, row).packs()).isEmpty();
    List<Long> seals = seals();
    assertThat(seals).hasSize(1);
    join(b.drop(other));
    awaitDone(b, erasure);
    assertThat(seals()).as("the row was not rewritten again").isEqualTo(seals);
    assertThat(read(a)).isEqualTo(texts(seconds(10, 20)));
  }

  private List<Long> seals() {
    return existing("pages_keep", "seal").stream().map(each -> each.getLong(0)).distinct().toList();
  }

  @Test
  void aForgottenEventIsStoredWhenItIsWrittenAgain() {
    Columns one = column(5, "{\"x\":1}");
    write(a, one);
    write(a, seconds(6, 30));
    Erasure erasure = erasure(one);
    erase(a, erasure);
    rows("DELETE FROM %s.erasures WHERE one = 0 AND id = " + erasure.id().toUuid()); // as its TTL
    clock.set(clock.instant().plus(CassandraOptions.DEFAULTS.remember()));
    try (CassandraStore later = open(clock, Retention.DEFAULTS)) {
      ErasingStore store = ErasingStore.over(later);
      write(store, one);
      assertThat(store.repeats()).isZero();
      assertThat(read(store)).hasSize(25).startsWith("{\"x\":1}");
    }
  }

  /** Cached parts of rows, and answers under way, are from before. */
  @Test
  void aProcessThatSleptThroughAnErasureSeesAnotherMark() {
    write(a, seconds(0, 20));
    SeenErasures sleepy = view();
    ErasedColumns before = join(sleepy.look()).columns();
    Erasure erasure = erasure(seconds(0, 10));
    erase(a, erasure);
    ErasedColumns after = join(sleepy.look()).columns();
    assertThat(after.mark()).isNotSameAs(before.mark());
    assertThat(join(sleepy.look()).columns().mark()).isSameAs(after.mark());
  }

  /** The table has no version before its first erasure. */
  @Test
  void aProcessThatSleptUntilTheFirstErasureWasForgottenSeesAnotherMark() {
    closeBoth();
    a = open(clock, Retention.DEFAULTS, Duration.ofSeconds(2));
    b = open(clock, Retention.DEFAULTS, Duration.ofSeconds(2));
    rows("DELETE version FROM %s.erasures WHERE one = 0");
    write(a, seconds(0, 20));
    SeenErasures sleepy = view();
    ErasedColumns before = join(sleepy.look()).columns();
    Erasure erasure = erasure(seconds(0, 10));
    join(ErasingStore.over(a).erase(erasure));
    String ofErasure = "SELECT id FROM %s.erasures WHERE one = 0 AND id = " + erasure.id().toUuid();
    Awaitility.await().until(() -> rows(ofErasure).isEmpty());
    clock.set(clock.instant().plusSeconds(3_600));
    ErasedColumns after = join(sleepy.look()).columns();
    assertThat(after.hasRepeat(row.typeHour(), seconds(0, 10))).isFalse();
    assertThat(after.mark()).isNotSameAs(before.mark());
  }

  private SeenErasures view() {
    return new SeenErasures(
        () -> b.openTables().erasures(),
        Duration.ofMillis(300),
        clock,
        System::nanoTime,
        hidden -> {});
  }

  @Test
  void theSpaceForMoreTypeHoursThanRequestsMayWaitIsKnown() {
    write(a, seconds(0, 20));
    List<TypeHour> typeHours =
        IntStream.range(0, 12_000)
            .mapToObj(i -> new TypeHour(hour, i == 0 ? "checkout" : "other " + i))
            .toList();
    assertThat(join(a.erasures().spaceNeeded(typeHours))).isPositive();
    assertThat(join(a.erasures().spaceNeeded(typeHours.subList(1, typeHours.size())))).isZero();
  }

  private static ErasureStatus status(CassandraStore store, Erasure erasure) {
    return join(store.erasures().all()).stream()
        .filter(each -> each.id().equals(erasure.id()))
        .findAny()
        .orElseThrow();
  }

  private void seal(CassandraStore store) {
    awaitQuiet();
    join(store.sealNow());
    assertThat(entry(store).sealed()).isTrue();
  }

  /** Lets the hour end, and the time pass in which rows wait to be sealed. */
  private void awaitQuiet() {
    join(a.publishNow());
    join(b.publishNow());
    Instant later = clock.instant().isBefore(hour.end()) ? hour.end() : clock.instant();
    clock.set(later.plus(SEAL_AFTER.multipliedBy(2)));
  }

  private static void erase(CassandraStore store, Erasure erasure) {
    join(ErasingStore.over(store).erase(erasure));
    awaitDone(store, erasure);
  }

  private static void awaitDone(CassandraStore store, Erasure erasure) {
    Awaitility.await().until(() -> status(store, erasure).state() == ErasureStatus.State.DONE);
    Awaitility.await()
        .until(
            () ->
                rows("SELECT part FROM %s.erased_names WHERE erasure = " + erasure.id().toUuid())
                    .isEmpty());
  }

  private static String stateOf(Erasure erasure) {
    return value(erasure, "state").getString(0);
  }

  private static Row value(Erasure erasure, String column) {
    String where = " FROM %s.erasures WHERE one = 0 AND id = " + erasure.id().toUuid();
    return rows("SELECT " + column + where).get(0);
  }

  /** No table has a name of an erased column where names can be read, and no pack has one. */
  private void assertErasedEverywhere(Columns gone) {
    for (String kept : List.of("keep", "60d")) {
      for (Row each : existing("packs_" + kept, "id")) {
        TimeUuid first = TimeUuid.of(each.getUuid(0));
        assertThat(gone.contains(first.ticks(), first.lsb())).isFalse();
      }
      assertThat(existing("pages_" + kept, "seal").stream().map(each -> each.getLong(0)).distinct())
          .hasSizeLessThanOrEqualTo(1);
    }
    for (Row each : rows("SELECT row, first, last FROM %s.directory")) {
      if (row.toString().equals(each.getString(0)) && !each.isNull(1)) {
        for (TimeUuid bound : List.of(TimeUuid.of(each.getUuid(1)), TimeUuid.of(each.getUuid(2)))) {
          assertThat(gone.contains(bound.ticks(), bound.lsb())).isFalse();
        }
      }
    }
  }

  private List<Row> existing(String table, String column) {
    boolean exists =
        OneNode.session()
            .getMetadata()
            .getKeyspace(KEYSPACE)
            .flatMap(found -> found.getTable(table))
            .isPresent();
    return exists
        ? rows("SELECT " + column + " FROM %s." + table + " WHERE row = '" + row + "'")
        : List.of();
  }

  private static List<Row> rows(String select) {
    return OneNode.session().execute(select.formatted(KEYSPACE)).all();
  }

  private Erasure erasure(Columns gone) {
    return new Erasure(id(), List.of(new ErasedRow(row, gone.namesOnly())), List.of());
  }

  private TimeUuid id() {
    return new TimeUuid(
        Ticks.of(clock.instant()) + HOURS.incrementAndGet(), 0x9000_0000_0000_0000L);
  }

  private void write(WideColumnStore store, Columns columns) {
    join(store.write(List.of(new Mutation(row, columns))));
  }

  private Columns column(int second, String payload) {
    ColumnsBuilder columns = new ColumnsBuilder(1, payload.length());
    add(second, payload, columns);
    return columns.build();
  }

  private Columns seconds(int from, int to) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 0);
    IntStream.range(from, to).forEach(i -> add(i, "{\"second\":" + i + "}", columns));
    return columns.build();
  }

  private void add(int second, String payload, ColumnsBuilder columns) {
    byte[] bytes = payload.getBytes(UTF_8);
    long ticks = hour.startTicks() + second * Ticks.PER_SECOND;
    columns.add(ticks, 0x9000_0000_0000_0000L + second % 3, bytes, 0, bytes.length);
  }

  /** Every n-th, and the first and last. */
  private static Columns some(Columns of, int n) {
    ColumnsBuilder some = new ColumnsBuilder(of.size(), 0);
    for (int i = 0; i < of.size(); i++) {
      if (i % n == 0 || i == of.size() - 1) {
        some.addAll(of, i, i + 1);
      }
    }
    return some.build();
  }

  private static Columns rest(Columns all, Columns without) {
    ColumnsBuilder rest = new ColumnsBuilder(all.size(), 0);
    for (int i = 0; i < all.size(); i++) {
      if (!without.contains(all.ticks(i), all.lsb(i))) {
        rest.addAll(all, i, i + 1);
      }
    }
    return rest.build();
  }

  private static FirstTimes untimed(Columns names) {
    int[] all = IntStream.range(0, names.size()).toArray();
    return new FirstTimes(
        IntStream.of(all).mapToLong(names::lsb).toArray(),
        IntStream.of(all).mapToLong(i -> i).toArray(),
        IntStream.of(all).mapToLong(names::ticks).toArray());
  }

  private static List<String> texts(Columns columns) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> new String(columns.payload(i), UTF_8))
        .toList();
  }

  private List<String> read(WideColumnStore store) {
    return read(store, Order.ASCENDING, 1_000);
  }

  private List<String> read(WideColumnStore store, Order order, int columnsMax) {
    List<String> all = new ArrayList<>();
    SliceQuery query =
        new SliceQuery(row, ColumnRange.of(hour), order, columnsMax, Projection.COLUMNS);
    for (boolean more = true; more; ) {
      var slice = join(store.slice(query));
      all.addAll(texts(slice.columns()));
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
    return all;
  }

  private RowEntry entry(CassandraStore store) {
    return join(store.rows(hour)).stream()
        .filter(each -> each.row().equals(row))
        .findFirst()
        .orElseThrow();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
