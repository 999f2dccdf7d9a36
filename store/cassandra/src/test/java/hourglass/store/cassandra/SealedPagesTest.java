package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bytes.ByteSearch;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.TextFilter;
import hourglass.store.cassandra.Sealer.Step;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.UtcClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the changes of the tables when a row is sealed, and the answers to readers afterwards. */
class SealedPagesTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Hour FIRST = Hour.parse("2026-11-20T08");
  private static final Duration GRACE = Duration.ofHours(1);
  private static final AtomicInteger SEALS = new AtomicInteger();
  private static final AtomicInteger HOURS = new AtomicInteger();
  private static final TestClock CLOCK = new TestClock(FIRST.start());

  /** Added to the monotonic clock. */
  private static final AtomicLong AHEAD = new AtomicLong();

  private static final CassandraStore ONE = open(CLOCK);

  /** A store whose clock is ahead. */
  private static final CassandraStore OTHER = open(Clock.offset(CLOCK, Duration.ofMinutes(5)));

  private final OracleStore oracle = new OracleStore();
  private final Hour hour = new Hour(FIRST.epochHours() + HOURS.incrementAndGet());
  private final RowKey row = new RowKey(hour, "checkout", 0);
  private final StoredRow stored = new StoredRow(KEYSPACE, row);
  private final Sealer sealer = OTHER.newSealer(step -> {});

  SealedPagesTest() {
    CLOCK.set(hour.start().plusSeconds(1_800));
  }

  @AfterEach
  void drop() {
    join(ONE.drop(hour));
    join(oracle.drop(hour));
  }

  private static CassandraStore open(Clock clock) {
    return OneNode.connected(
        CassandraStore.open(
            OneNode.options(KEYSPACE)
                .sealAfter(Duration.ofMinutes(10))
                .sealEvery(Duration.ofDays(1))
                .trustFor(Duration.ofMillis(1))
                .replaceGrace(GRACE)
                .build(),
            clock,
            () -> System.nanoTime() + AHEAD.get(),
            new SimpleMeterRegistry()));
  }

  @AfterAll
  static void close() {
    ONE.close();
    OTHER.close();
  }

  @Test
  void aSealedRowIsReadFromItsPagesAlone() {
    write(seconds(0, 3_600, "x"));
    assertAnswers();
    Set<String> packs = stored.packs();
    assertThat(packs).hasSize(60);
    seal(sealer);
    assertThat(stored.seals()).hasSize(1);
    assertThat(stored.rows("SELECT id FROM %s.pages_keep")).hasSizeGreaterThan(1);
    assertThat(stored.packs()).isEqualTo(packs);
    assertThat(entry().sealed()).isTrue();
    assertThat(entry().columns()).isEqualTo(3_600);
    OneNode.session()
        .execute("DELETE FROM " + KEYSPACE + ".packs_keep WHERE row = ?", row.toString());
    assertAnswers();
  }

  @Test
  void theGraceOfAnOwnSealCountsFromTheSeal() {
    write(seconds(0, 600, "x"));
    seal(sealer);
    AHEAD.addAndGet(GRACE.toNanos() / 10 * 9);
    sealer.pass(OTHER.openTables());
    assertThat(stored.packs()).isNotEmpty();
    AHEAD.addAndGet(GRACE.toNanos() / 10);
    sealer.pass(OTHER.openTables());
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
  }

  @Test
  void packsAreDeletedOnlyAfterTheGrace() {
    write(seconds(0, 600, "x"));
    RowKey neighbour = new RowKey(hour, "checkout", 1);
    ONE.write(List.of(new Mutation(neighbour, seconds(0, 100, "x")))).toCompletableFuture().join();
    Sealer first = OTHER.newSealer(step -> {});
    seal(first);
    Set<String> packs = stored.packs();
    Columns stray = seconds(50, 70, "y"); // as of a write that failed, and is there all the same
    writeUnmarked(stray);
    Set<String> strays = stored.packs();
    strays.removeAll(packs);
    assertThat(strays).hasSize(2);
    AHEAD.addAndGet(GRACE.toNanos()); // which this sealer did not see pass
    sealer.pass(OTHER.openTables());
    AHEAD.addAndGet(GRACE.toNanos() / 10 * 9);
    sealer.pass(OTHER.openTables());
    assertThat(stored.packs()).containsAll(packs).containsAll(strays);
    assertThat(isClean()).isFalse();
    AHEAD.addAndGet(GRACE.toNanos() / 10);
    sealer.pass(OTHER.openTables());
    assertThat(stored.packs()).isEqualTo(strays);
    assertThat(isClean()).isTrue();
    assertThat(stored.seals()).hasSize(1);
    assertAnswers();
    sealAndClean();
    assertThat(stored.packs()).as("without a mark of its own").isEqualTo(strays);
    write(seconds(100, 101, "z"));
    oracleWrite(stray);
    assertAnswers();
    sealAndClean();
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
    assertThat(join(ONE.count(CountQuery.all(neighbour))).columns()).isEqualTo(100);
  }

  @Test
  void aSelectiveFilterReadsNoOtherBodies() {
    write(seconds(0, 3_600, "x"));
    sealAndClean();
    RowAnswers before = RowAnswers.of(OTHER, row);
    assertThat(before.needle()).hasSize(1);
    var pages = stored.rows("SELECT seal, id, body FROM %s.pages_keep");
    for (var page : pages.subList(1, pages.size())) {
      damage(page, "body");
    }
    SliceQuery needle = all().withFilter(filter(RowAnswers.NEEDLE));
    assertThat(RowAnswers.walk(needle, OTHER::slice)).containsAll(before.needle());
    assertCorrupt(() -> RowAnswers.walk(all(), OTHER::slice));
  }

  @Test
  void aSearchForAPartOfAWordReadsNoOtherBodies() {
    writeRefusals();
    SliceQuery refused = all().withFilter(containing("ction refu"));
    assertThat(RowAnswers.walk(refused, OTHER::slice)).hasSize(10);
    SliceQuery absent = all().withFilter(containing("ction refuted"));
    assertThat(RowAnswers.walk(absent, OTHER::slice)).isEmpty();
    assertCorrupt(() -> RowAnswers.walk(all().withFilter(containing("ection ope")), OTHER::slice));
  }

  @Test
  void aSearchBesideLateEventsReadsNoOtherBodies() {
    writeRefusals();
    write(words(3_500, 3_501, "connection reset"));
    assertThat(entry().sealed()).isFalse();
    for (CassandraStore store : List.of(ONE, OTHER)) {
      SliceQuery refused = all().withFilter(containing("ction refu"));
      assertThat(RowAnswers.walk(refused, store::slice).stream().filter(has("refused")))
          .hasSize(10);
      SliceQuery reset = all().withFilter(containing("ction rese"));
      assertThat(RowAnswers.walk(reset, store::slice).stream().filter(has("reset"))).hasSize(1);
    }
    write(words(3_400, 3_401, "connection open, but larger"));
    assertCorrupt(() -> RowAnswers.walk(all().withFilter(containing("but larg")), OTHER::slice));
  }

  private static Predicate<String> has(String text) {
    return column -> column.contains(text);
  }

  /** Writes pages of which only the first has a refused connection, and damages the others. */
  private void writeRefusals() {
    write(words(0, 10, "connection refused"));
    write(words(10, 3_450, "connection open"));
    sealAndClean();
    var pages = stored.rows("SELECT seal, id, body FROM %s.pages_keep");
    assertThat(pages).hasSizeGreaterThan(1);
    for (var page : pages.subList(1, pages.size())) {
      damage(page, "body");
    }
  }

  @Test
  void aDamagedIndexFailsSearchesAlone() {
    write(seconds(0, 3_600, "x"));
    sealAndClean();
    var pages = stored.rows("SELECT seal, id, head FROM %s.pages_keep");
    Row last = pages.get(pages.size() - 1);
    byte[] head = bytes(last, "head");
    int index = new String(head, ISO_8859_1).indexOf("HGvi");
    head[index + 4] ^= 1;
    replace(last, "head", ByteBuffer.wrap(head));
    try (CassandraStore fresh = open(CLOCK)) {
      SliceQuery needle = all().withFilter(filter(RowAnswers.NEEDLE));
      assertCorrupt(() -> RowAnswers.walk(needle, fresh::slice));
      assertThat(RowAnswers.walk(all(), fresh::slice)).hasSize(3_600);
      assertThat(join(fresh.count(CountQuery.all(row))).columns()).isEqualTo(3_600);
    }
  }

  @Test
  void aDamagedPageNamesItsRow() {
    write(seconds(0, 600, "x"));
    sealAndClean();
    var page = stored.rows("SELECT seal, id, head, body FROM %s.pages_keep").get(0);
    damage(page, "body");
    for (CassandraStore store : List.of(ONE, OTHER)) {
      assertCorrupt(() -> RowAnswers.walk(all(), store::slice));
      assertCorrupt(() -> join(store.count(RowAnswers.inOddSteps(row))));
      assertCorrupt(() -> join(store.values(RowAnswers.numbers(row))));
    }
    damage(page, "head");
    try (CassandraStore fresh = open(CLOCK)) {
      assertCorrupt(() -> RowAnswers.walk(all(), fresh::slice));
      assertCorrupt(() -> join(fresh.count(RowAnswers.inOddSteps(row))));
    }
  }

  @Test
  void aDamagedRowDoesNotPreventSealingOthers() {
    List<RowKey> rows =
        IntStream.range(0, 6).mapToObj(shard -> new RowKey(hour, "checkout", shard)).toList();
    for (RowKey each : rows) {
      join(ONE.write(List.of(new Mutation(each, seconds(0, 50, "x")))));
    }
    seal(sealer);
    write(seconds(60, 61, "late"));
    for (var page : stored.rows("SELECT seal, id, head FROM %s.pages_keep")) {
      damage(page, "head");
    }
    try (CassandraStore another = open(CLOCK)) {
      Sealer fresh = another.newSealer(step -> {});
      CLOCK.pass(Duration.ofHours(1));
      fresh.pass(another.openTables());
      AHEAD.addAndGet(GRACE.toNanos());
      fresh.pass(another.openTables());
    }
    assertThat(stored.packs()).isNotEmpty();
    for (RowKey each : rows.subList(1, 6)) {
      assertThat(new StoredRow(KEYSPACE, each).packs()).as("%s", each).isEmpty();
    }
  }

  @Test
  void aFailedSealLeavesNoPagesAndIsRepeatedLater() {
    write(seconds(0, 600, "x"));
    AtomicInteger attempts = new AtomicInteger();
    Sealer failing =
        OTHER.newSealer(
            step -> {
              if (step == Step.READ_BACK) {
                attempts.incrementAndGet();
                throw new IllegalStateException("as if the pages differed");
              }
            });
    seal(failing);
    failing.pass(OTHER.openTables());
    assertThat(attempts).hasValue(1);
    assertThat(stored.seals()).isEmpty();
    assertAnswers();
    AHEAD.addAndGet(Duration.ofHours(1).toNanos());
    failing.pass(OTHER.openTables());
    assertThat(attempts).hasValue(2);
    assertThat(stored.seals()).isEmpty();
    sealAndClean();
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
  }

  @Test
  void aLateEventIsReadWithThePagesAndThenSealed() {
    write(seconds(0, 600, "x"));
    sealAndClean();
    long first = stored.seals().get(0);
    write(seconds(700, 701, "late"));
    assertThat(entry().sealed()).isFalse();
    assertThat(stored.packs()).hasSize(1);
    assertAnswers();
    seal(sealer);
    assertThat(entry().sealed()).isTrue();
    assertThat(stored.seals()).hasSize(2).startsWith(first);
    assertThat(stored.packs()).hasSize(1);
    assertAnswers();
    clean();
    assertThat(stored.seals()).hasSize(1).allMatch(second -> second > first);
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
  }

  @Test
  void largerPayloadsReplaceSealedOnes() {
    write(seconds(0, 600, "m"));
    sealAndClean();
    write(seconds(100, 150, "a"));
    write(seconds(200, 203, "z"));
    write(seconds(300, 360, "z"));
    assertAnswers();
    sealAndClean();
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
  }

  @Test
  void repeatedEventsAreMergedWithSealedOnes() {
    Columns batch = seconds(0, 600, "x");
    write(batch);
    sealAndClean();
    write(batch);
    assertAnswers();
    sealAndClean();
    write(batch.subColumns(13, 444));
    write(batch.subColumns(5, 9));
    assertAnswers();
    sealAndClean();
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
    assertThat(entry().columns()).isEqualTo(600);
  }

  @Test
  void packsWrittenDuringASealAreKept() {
    write(seconds(0, 100, "x"));
    for (Step step : List.of(Step.MARKS_READ, Step.PAGES_WRITTEN, Step.READ_BACK, Step.NAMED)) {
      Columns late = seconds(200 + step.ordinal(), 250 + step.ordinal(), "late " + step);
      Sealer interrupted =
          OTHER.newSealer(
              at -> {
                if (at == step) {
                  write(late);
                }
              });
      seal(interrupted);
      assertThat(entry().sealed()).as("%s", step).isFalse();
      assertAnswers();
      AHEAD.addAndGet(2 * GRACE.toNanos());
      interrupted = OTHER.newSealer(at -> {});
      interrupted.pass(OTHER.openTables()); // not quiet yet
      AHEAD.addAndGet(2 * GRACE.toNanos());
      interrupted.pass(OTHER.openTables());
      assertThat(stored.packs()).as("%s", step).isNotEmpty();
      assertAnswers();
      sealAndClean();
      assertThat(stored.packs()).as("%s", step).isEmpty();
      assertAnswers();
      write(seconds(300, 301, "again " + step));
    }
  }

  @Test
  void pagesOfADeadSealerAreDeletedUnread() {
    write(seconds(0, 100, "x"));
    for (Step step : List.of(Step.PAGES_WRITTEN, Step.READ_BACK)) {
      seal(OTHER.newSealer(dieAt(step)));
      assertThat(entry().sealed()).isFalse();
      write(seconds(200, 210, "" + step));
      assertAnswers();
    }
    assertThat(stored.seals()).hasSize(2);
    seal(sealer);
    assertThat(stored.seals()).hasSize(3);
    clean();
    assertThat(stored.seals()).hasSize(1);
    assertThat(stored.packs()).isEmpty();
    assertAnswers();
  }

  @Test
  void pagesThatDifferFromTheirColumnsAreNotUsed() {
    write(seconds(0, 3_600, "x"));
    seal(
        OTHER.newSealer(
            at -> {
              if (at == Step.PAGES_WRITTEN) {
                Row last = stored.rows("SELECT seal, id FROM %s.pages_keep").get(1);
                OneNode.session()
                    .execute(
                        "DELETE FROM "
                            + KEYSPACE
                            + ".pages_keep WHERE row = ? AND seal = ? AND id = ?",
                        row.toString(),
                        last.getLong(0),
                        last.getUuid(1));
              }
            }));
    assertThat(entry().sealed()).isFalse();
    assertAnswers();
    sealAndClean();
    assertThat(stored.seals()).hasSize(1);
    assertAnswers();
  }

  /** Its number is the greater one, since its clock is ahead. */
  @Test
  void aSealerSuspendedBeyondTheGraceSealsNothing() {
    for (Step step : List.of(Step.MARKS_READ, Step.PAGES_WRITTEN, Step.READ_BACK)) {
      write(seconds(0, 100, "x" + step));
      Sealer slept =
          OTHER.newSealer(
              at -> {
                if (at == step) {
                  Sealer quick = ONE.newSealer(each -> {});
                  quick.pass(ONE.openTables());
                  quick.pass(ONE.openTables());
                  AHEAD.addAndGet(GRACE.toNanos());
                  CLOCK.pass(GRACE);
                  quick.pass(ONE.openTables());
                  assertThat(stored.packs()).isEmpty();
                  write(seconds(100, 110, "" + step));
                }
              });
      seal(slept);
      assertAnswers();
      sealAndClean();
      assertAnswers();
    }
  }

  /** The process was suspended between its look-up and its read. */
  @Test
  void aReaderSuspendedBeyondTheGraceReadsAgain() {
    NappingClock napping = new NappingClock();
    try (CassandraStore reader = open(napping)) {
      AtomicInteger second = new AtomicInteger();
      Awaitility.await()
          .until(
              () -> {
                // Its record is open: the reader asks its clock how long that counts.
                CLOCK.set(hour.start().plusSeconds(1_800));
                int from = second.getAndAdd(10);
                write(seconds(from, from + 10, "x"));
                napping.nap.set(this::sealAndClean);
                List<String> found = RowAnswers.walk(all(), reader::slice);
                assertThat(found).hasSize(from + 10);
                return napping.nap.getAndSet(null) == null;
              });
    }
    assertThat(stored.packs()).isEmpty();
  }

  private static final class NappingClock extends UtcClock {
    /** Happens while it is asked next. */
    final AtomicReference<Runnable> nap = new AtomicReference<>();

    @Override
    public Instant instant() {
      Runnable now = nap.getAndSet(null);
      if (now != null) {
        now.run();
      }
      return CLOCK.instant();
    }
  }

  @Test
  void aDroppedHourCanBeWrittenAgain() {
    Columns batch = seconds(0, 600, "x");
    write(batch);
    sealAndClean();
    write(seconds(600, 610, "late"));
    seal(sealer);
    drop();
    assertThat(stored.packs()).isEmpty();
    assertThat(stored.seals()).isEmpty();
    assertThat(join(OTHER.rows(hour))).isEmpty();
    assertAnswers();
    write(batch);
    assertAnswers();
    sealAndClean();
    assertThat(stored.packs()).isEmpty();
    assertThat(stored.seals()).hasSize(1);
    assertAnswers();
  }

  @Test
  void aDropDuringASealDeletesTheHour() {
    for (Step step : Step.values()) {
      write(seconds(0, 100, "x"));
      if (step.compareTo(Step.NAMED) > 0) {
        seal(sealer);
      }
      Sealer interrupted =
          ONE.newSealer(
              at -> {
                if (at == step && !join(ONE.rows(hour)).isEmpty()) {
                  drop();
                }
              });
      seal(interrupted);
      AHEAD.addAndGet(GRACE.toNanos());
      interrupted.pass(ONE.openTables());
      assertThat(join(OTHER.rows(hour))).as("%s", step).isEmpty();
      assertAnswers();
      write(seconds(50, 150, "y"));
      assertAnswers();
      sealAndClean();
      assertAnswers();
      drop();
    }
  }

  /** The death of a process; no component may handle it. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  private static Consumer<Step> dieAt(Step step) {
    return at -> {
      if (at == step) {
        throw new Death();
      }
    };
  }

  private static byte[] bytes(Row page, String column) {
    ByteBuffer value = Objects.requireNonNull(page.getByteBuffer(column)).duplicate();
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  /** Damages a column like a failing disk. */
  private void damage(Row page, String column) {
    byte[] bytes = bytes(page, column);
    bytes[column.equals("head") ? 1 + 16 * bytes[0] + 40 : bytes.length / 2] ^= 4;
    replace(page, column, ByteBuffer.wrap(bytes));
  }

  private void replace(Row page, String column, ByteBuffer value) {
    OneNode.session()
        .execute(
            "INSERT INTO %s.pages_keep (row, seal, id, %s) VALUES (?, ?, ?, ?) USING TIMESTAMP ?"
                .formatted(KEYSPACE, column),
            row.toString(),
            page.getLong("seal"),
            page.getUuid("id"),
            value,
            hour.end().toEpochMilli() * 1_000 - 1);
  }

  private void assertCorrupt(ThrowableAssert.ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(row.toString());
  }

  private static <T> T join(CompletionStage<T> stage) {
    return RowAnswers.join(stage);
  }

  private void write(Columns columns) {
    join(ONE.write(List.of(new Mutation(row, columns))));
    oracleWrite(columns);
  }

  private void oracleWrite(Columns columns) {
    join(oracle.write(List.of(new Mutation(row, columns))));
  }

  private void writeUnmarked(Columns columns) {
    RetentionClass keep = RetentionClass.parse("packs_keep");
    CompletionStage<Void> passed = CompletableFuture.completedFuture(null);
    join(
        ONE.openTables()
            .packs(keep)
            .thenCompose(
                table -> table.insert(row, 0, 0, columns, List.of(columns), () -> passed)));
  }

  /** One a second in {@code [from, to)}; the number of each is that of its second. */
  private Columns seconds(int from, int to, String text) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 0);
    for (int i = from; i < to; i++) {
      StringBuilder padded = new StringBuilder(text);
      for (int more = 0; more < 12; more++) {
        padded.append(' ').append(RowAnswers.number(12 * i + more));
      }
      byte[] payload =
          "{\"n\":%d,\"text\":\"%s\"}".formatted(RowAnswers.number(i), padded).getBytes(ISO_8859_1);
      columns.add(hour.startTicks() + i * Ticks.PER_SECOND, i, payload, 0, payload.length);
    }
    return columns.build();
  }

  /** One a second in {@code [from, to)}: a text, and an id that does not compress. */
  private Columns words(int from, int to, String text) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 0);
    for (int i = from; i < to; i++) {
      byte[] id = new byte[100];
      new Random(i).nextBytes(id);
      byte[] payload =
          "{\"n\":%d,\"text\":\"%s\",\"id\":\"%s\"}"
              .formatted(RowAnswers.number(i), text, HexFormat.of().formatHex(id))
              .getBytes(ISO_8859_1);
      columns.add(hour.startTicks() + i * Ticks.PER_SECOND, i, payload, 0, payload.length);
    }
    return columns.build();
  }

  /** Seals every row, once it is quiet. */
  private static void seal(Sealer by) {
    join(ONE.publishNow());
    join(OTHER.publishNow());
    CLOCK.set(FIRST.end().plus(Duration.ofDays(365 + SEALS.incrementAndGet())));
    try {
      by.pass(OTHER.openTables());
    } catch (Death e) {
      assertThat(e).hasNoCause();
    }
  }

  private void clean() {
    sealer.pass(OTHER.openTables());
    AHEAD.addAndGet(GRACE.toNanos());
    CLOCK.pass(GRACE);
    sealer.pass(OTHER.openTables());
    assertThat(isClean()).isTrue();
  }

  private void sealAndClean() {
    seal(sealer);
    clean();
  }

  private boolean isClean() {
    Directory.Found found = join(OTHER.directory().row(OTHER.openTables(), row));
    return found != null && found.entry().sealed() && !found.hasLeftovers();
  }

  private RowEntry entry() {
    return join(OTHER.rows(hour)).stream()
        .filter(entry -> entry.row().equals(row))
        .findFirst()
        .orElseThrow();
  }

  private void assertAnswers() {
    RowAnswers expected = RowAnswers.of(oracle, row);
    assertThat(RowAnswers.of(ONE, row)).isEqualTo(expected);
    assertThat(RowAnswers.of(OTHER, row)).isEqualTo(expected);
  }

  private SliceQuery all() {
    return new SliceQuery(row, ColumnRange.of(hour), Order.ASCENDING, 10_000, Projection.COLUMNS);
  }

  private SliceQuery.Filter containing(String text) {
    ByteSearch search = new ByteSearch(text.getBytes(ISO_8859_1), false);
    return new SliceQuery.Filter(new TextFilter(search), ColumnRange.of(hour));
  }

  private SliceQuery.Filter filter(int number) {
    return new SliceQuery.Filter(new RowAnswers.NumberIs(number), ColumnRange.of(hour));
  }
}
