package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.Sealer.Step;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes, whose clocks differ by twenty minutes, write, seal, clean up and drop the same
 * rows. Sealers end at any step, and meet other operations at each: writes, drops, hours that pass,
 * and other sealers. Their requests time out by chance. All answers are compared with those of an
 * {@link OracleStore}.
 */
class SealingModelTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Hour FIRST = Hour.parse("2026-11-20T08");
  private static final Duration SKEW = Duration.ofMinutes(20);
  private static final Duration SEAL_AFTER = Duration.ofHours(1);
  private static final Duration GRACE = Duration.ofHours(1);
  private static final Duration TRUST = Duration.ofMillis(10);

  /** Longer than caches live. */
  private static final Duration DROP = Duration.ofSeconds(10);

  private static final int STEPS_A_ROUND = 40;

  /** Largest depth of sealers within sealers. */
  private static final int DEPTH_MAX = 4;

  private static final List<Duration> PAUSES =
      List.of(
          TRUST.dividedBy(2),
          TRUST.multipliedBy(2),
          Duration.ofMinutes(31),
          Duration.ofMinutes(61),
          Duration.ofMinutes(61),
          Duration.ofHours(3));

  private static final TestClock CLOCK = new TestClock(FIRST.start());

  /** The monotonic clock of both. */
  private static final AtomicLong NANOS = new AtomicLong();

  private final Random random = Seed.random(this);
  private final List<Process> processes =
      List.of(new Process(CLOCK), new Process(Clock.offset(CLOCK, SKEW)));
  private final Map<Step, Integer> reached = new EnumMap<>(Step.class);
  private final Map<Step, Integer> deaths = new EnumMap<>(Step.class);
  private final List<String> trace = new ArrayList<>();

  private OracleStore oracle = new OracleStore();
  private List<RowKey> rows = List.of();
  private final List<Mutation> written = new ArrayList<>();
  private final List<SlowReader> readers = new ArrayList<>();

  private int depth;

  private final class Process {
    final CassandraStore store;
    final FaultySession faulty;
    private final Tables faultyTables;

    /** Knows since when seals were there; a new one does not. */
    private @Nullable Sealer sealer;

    Process(Clock clock) {
      CassandraOptions options =
          OneNode.options(KEYSPACE)
              .sealAfter(SEAL_AFTER)
              .sealEvery(Duration.ofDays(1))
              .trustFor(TRUST)
              .replaceGrace(GRACE)
              .build();
      store =
          OneNode.connected(
              CassandraStore.open(options, clock, NANOS::get, new SimpleMeterRegistry()));
      Tables tables = store.openTables();
      Cql cql = tables.cql();
      faulty = new FaultySession(cql.session(), new Random(random.nextLong()));
      faultyTables =
          Tables.prepare(
              new Cql(faulty.session(), KEYSPACE, cql.reads(), cql.writes(), cql.readers()),
              tables.claimLane(),
              tables.firstTimes(),
              tables.erasures(),
              options);
    }

    /** Runs a sealer, perhaps not to its end. */
    void seal(boolean hasFaults) {
      Sealer mine = sealer == null ? store.newSealer(SealingModelTest.this::reach) : sealer;
      sealer = mine;
      depth++;
      try {
        mine.pass(hasFaults ? faultyTables : store.openTables());
      } catch (Death e) {
        sealer = null;
      } catch (UnavailableException e) {
        trace.add("unavailable");
      } finally {
        depth--;
      }
    }
  }

  private static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Looked a row up, and reads it later. */
  private record SlowReader(
      CassandraStore store, RowKey row, Directory.Fact fact, long sinceNanos, List<String> then) {}

  @AfterEach
  void close() {
    processes.forEach(process -> process.store.close());
  }

  @Test
  void randomSealingNeitherLosesNorDuplicatesColumns() {
    int rounds = Tier.length(2, 6, 400);
    for (int round = 0; round < rounds || !isAllReached() && round < 10 * rounds; round++) {
      trace.clear();
      try {
        round(round);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("round %d: %s%n%s".formatted(round, trace, e.getMessage()), e);
      }
    }
    System.out.println("steps of sealing reached: " + reached + ", deaths after: " + deaths);
    assertThat(isAllReached()).isTrue();
  }

  private boolean isAllReached() {
    return reached.size() == Step.values().length && deaths.size() == Step.values().length;
  }

  private void round(int round) {
    Hour hour = new Hour(FIRST.epochHours() + 50 * round);
    CLOCK.set(hour.start().plus(Duration.ofMinutes(70)));
    rows =
        List.of(
            new RowKey(hour, "checkout", 0),
            new RowKey(hour, "checkout", 1),
            new RowKey(hour.next(), "checkout", 0));
    oracle = new OracleStore();
    written.clear();
    readers.clear();
    for (int step = 0; step < STEPS_A_ROUND; step++) {
      operate();
    }
    settle();
    rows.forEach(this::compare);
    for (RowKey row : rows) {
      drop(row.hour());
    }
    for (RowKey row : rows) {
      StoredRow stored = new StoredRow(KEYSPACE, row);
      assertThat(stored.packs()).as("packs after a drop").isEmpty();
      assertThat(stored.seals()).as("pages after a drop").isEmpty();
    }
  }

  private void operate() {
    int dice = random.nextInt(100);
    if (dice < 32) {
      write(random(rows));
    } else if (dice < 66) {
      pass(random(PAUSES));
      seal(random(processes), random.nextBoolean());
    } else if (dice < 68) {
      drop(random(rows).hour());
    } else if (dice < 80) {
      lookUp();
    } else if (dice < 95) {
      compareSlice();
    } else if (dice < 98) {
      sealAtOnce();
    } else {
      random(processes).faulty.sendLate();
    }
  }

  private void write(RowKey row) {
    CassandraStore store = random(processes).store;
    List<Mutation> mutations = List.of(new Mutation(row, columns(row)));
    trace.add("write " + row + " " + mutations.get(0).columns().size());
    join(store.write(mutations));
    join(oracle.write(mutations));
    written.addAll(mutations);
  }

  /** New ones, the same again, or another cut of several writes. */
  private Columns columns(RowKey row) {
    List<Columns> before =
        written.stream().filter(m -> m.row().equals(row)).map(Mutation::columns).toList();
    if (before.isEmpty() || random.nextInt(3) > 0) {
      return columns(row.hour());
    }
    Columns again = random(before);
    if (random.nextBoolean()) {
      again = Columns.merge(List.of(again, random(before), random(before)));
      int from = random.nextInt(again.size());
      again = again.subColumns(from, from + 1 + random.nextInt(again.size() - from));
    }
    return again;
  }

  /** Returns columns of few names, so that many are repeated. */
  private Columns columns(Hour hour) {
    int count = 1 + random.nextInt(random.nextBoolean() ? 3 : 60);
    ColumnsBuilder columns = new ColumnsBuilder(count, 0);
    for (int i = 0; i < count; i++) {
      long ticks = hour.startTicks() + random.nextInt(150) * 24 * Ticks.PER_SECOND;
      byte[] payload =
          "{\"n\":%d,\"text\":\"%d\"}"
              .formatted(RowAnswers.number(15 + random.nextInt(4)), random.nextInt(5))
              .getBytes(ISO_8859_1);
      columns.add(ticks, random.nextInt(2), payload, 0, payload.length);
    }
    return columns.build();
  }

  /** Waits until the process whose clock is behind has sealed the rows and cleaned up. */
  private void sleep() {
    trace.add("sleeps");
    Process behind = processes.get(0);
    seal(behind, false);
    seal(behind, false);
    pass(GRACE);
    seal(behind, false);
    rows.forEach(this::write);
  }

  private void seal(Process process, boolean hasFaults) {
    trace.add("seal by " + processes.indexOf(process) + (hasFaults ? " with faults" : ""));
    process.seal(hasFaults);
  }

  private void reach(Step step) {
    reached.merge(step, 1, Integer::sum);
    trace.add("" + step);
    while (depth < DEPTH_MAX && random.nextInt(3) == 0) {
      operate();
    }
    if (depth == 1 && random.nextInt(6) == 0) {
      sleep();
    }
    if (random.nextInt(6) == 0) {
      trace.add("dies");
      deaths.merge(step, 1, Integer::sum);
      throw new Death();
    }
  }

  private void sealAtOnce() {
    trace.add("seal at once");
    List<CompletableFuture<Void>> passes = new ArrayList<>();
    for (Process process : processes) {
      Sealer sealer = process.store.newSealer(step -> {});
      passes.add(CompletableFuture.runAsync(() -> sealer.pass(process.store.openTables())));
    }
    passes.forEach(CompletableFuture::join);
  }

  /** Advances both clocks. A process that hangs publishes nothing. */
  private void pass(Duration time) {
    trace.add("pass " + time);
    CLOCK.pass(time);
    NANOS.addAndGet(time.toNanos());
    for (Process process : processes) {
      if (random.nextInt(4) > 0) {
        join(process.store.publishNow());
      }
    }
  }

  private void drop(Hour hour) {
    trace.add("drop " + hour);
    long end = NANOS.get() + DROP.toNanos();
    CompletableFuture<Void> drop = random(processes).store.drop(hour).toCompletableFuture();
    while (!drop.isDone()) { // the clock runs on while it waits for caches
      NANOS.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
    drop.join();
    NANOS.set(Math.max(end, NANOS.get()));
    join(oracle.drop(hour));
    readers.removeIf(reader -> reader.row().hour().equals(hour));
    written.removeIf(mutation -> mutation.row().hour().equals(hour));
  }

  private void lookUp() {
    RowKey row = random(rows);
    CassandraStore store = random(processes).store;
    Directory.Found found = join(store.directory().row(store.openTables(), row));
    if (found != null) {
      trace.add("look up " + row);
      List<String> then = RowAnswers.walk(slice(row), oracle::slice);
      readers.add(new SlowReader(store, row, found.fact(), NANOS.get(), then));
    }
  }

  /** Those that looked a row up less than the grace ago find at least what was there then. */
  private void compareSlice() {
    RowKey row = random(rows);
    trace.add("read " + row);
    List<String> now = RowAnswers.walk(slice(row), oracle::slice);
    for (Process process : processes) {
      assertThat(RowAnswers.walk(slice(row), process.store::slice)).as("%s", row).isEqualTo(now);
    }
    readers.removeIf(reader -> NANOS.get() - reader.sinceNanos() >= GRACE.toNanos());
    for (SlowReader reader : readers) {
      if (reader.row().equals(row)) {
        RetentionClassReader reading = new RetentionClassReader(reader.store().openTables());
        List<String> found =
            RowAnswers.walk(slice(row), query -> reading.slice(query, reader.fact()));
        assertThat(names(found)).as("by an older look-up").containsAll(names(reader.then()));
        assertThat(names(now)).as("by an older look-up").containsAll(names(found));
      }
    }
  }

  private static List<String> names(List<String> columns) {
    return columns.stream().map(column -> column.substring(0, column.indexOf('='))).toList();
  }

  private static SliceQuery slice(RowKey row) {
    return new SliceQuery(
        row, ColumnRange.of(row.hour()), Order.ASCENDING, 1_000, Projection.COLUMNS);
  }

  /** Runs until all rows are sealed and the packs replaced by their pages are deleted. */
  private void settle() {
    processes.forEach(process -> join(process.store.publishNow()));
    processes.forEach(process -> process.faulty.sendLate());
    depth = DEPTH_MAX; // sealers meet nothing but their end
    Process last = random(processes);
    for (int i = 0; i < 50 && !isSettled(last.store); i++) {
      CLOCK.pass(Duration.ofHours(2));
      NANOS.addAndGet(GRACE.toNanos());
      seal(last, false);
    }
    depth = 0;
    for (RowKey row : rows) {
      Directory.Found found = join(last.store.directory().row(last.store.openTables(), row));
      if (found == null) {
        continue;
      }
      assertThat(isSettled(found)).as("%s is sealed and clean", row).isTrue();
      StoredRow stored = new StoredRow(KEYSPACE, row);
      assertThat(stored.packs()).as("packs of %s", row).isEmpty();
      assertThat(stored.seals())
          .as("pages of %s", row)
          .contains(found.manifestMicros())
          .allMatch(seal -> seal >= found.manifestMicros());
    }
  }

  private boolean isSettled(CassandraStore store) {
    return rows.stream()
        .map(row -> join(store.directory().row(store.openTables(), row)))
        .allMatch(found -> found == null || isSettled(found));
  }

  private static boolean isSettled(Directory.Found found) {
    return found.entry().sealed() && !found.hasLeftovers();
  }

  private void compare(RowKey row) {
    RowAnswers expected = RowAnswers.of(oracle, row);
    for (Process process : processes) {
      assertThat(RowAnswers.of(process.store, row)).as("%s", row).isEqualTo(expected);
      long listed =
          join(process.store.rows(row.hour())).stream()
              .filter(entry -> entry.row().equals(row))
              .mapToLong(RowEntry::columns)
              .sum();
      assertThat(listed).as("columns of %s", row).isEqualTo(expected.ascending().size());
    }
  }

  private <T> T random(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return RowAnswers.join(stage);
  }
}
