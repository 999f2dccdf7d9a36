package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.backup.StorePoint;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.RawPages;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import hourglass.store.pages.PageCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No byte of an erased column stays in a data directory, and no other column goes. */
class ErasureTest {
  private static final Hour HOUR = TestStore.HOUR;
  private static final String MARKER = "ada.lovelace@example";

  private static final List<RowKey> ROWS =
      List.of(
          new RowKey(HOUR, "checkout", 0),
          new RowKey(HOUR, "checkout", 1),
          new RowKey(HOUR, "search", 3),
          new RowKey(HOUR.next(), "checkout", 0));

  /** Each event that is erased has this remainder. */
  private static final int EVERY = 10;

  private final Random random = Chance.random("ErasureTest");
  private final AtomicInteger erasures = new AtomicInteger();
  private final long[] lsbs = random.longs(2_000).map(lsb -> Long.MIN_VALUE | lsb >>> 2).toArray();
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp,
            options ->
                options
                    .sealAfter(Duration.ZERO)
                    .flushIdle(Duration.ofDays(1))
                    .backupDirs(List.of(temp.resolve("backups"))));
    store.clock.set(HOUR.next().end().plus(Duration.ofDays(2)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private TimeUuid name(RowKey row, int n) {
    long ticks = row.hour().startTicks() + n * Ticks.PER_SECOND + 12_345 + row.shard();
    return new TimeUuid(ticks, lsbs[n] + row.shard() + row.type().hashCode());
  }

  private Mutation columns(RowKey row, int from, int to) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 100 * (to - from));
    for (int n = from; n < to; n++) {
      String user = n % EVERY == 0 ? MARKER + "/" + n % 7 : "user" + n % 50;
      byte[] payload =
          "{\"user\":\"%s\",\"path\":\"/item/%s\",\"ms\":%s}"
              .formatted(user, random.nextInt(1 << 20), random.nextInt(1_000))
              .getBytes(StandardCharsets.UTF_8);
      TimeUuid name = name(row, n);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  private void write(int from, int to) {
    for (RowKey row : ROWS) {
      Mutation mutation = columns(row, from, to);
      store.expectation.sent(List.of(mutation));
      Columns names = mutation.columns();
      int untimed = Math.min(30, names.size());
      FirstTimes times =
          new FirstTimes(
              IntStream.range(0, untimed).mapToLong(names::lsb).toArray(),
              new long[untimed],
              IntStream.range(0, untimed).mapToLong(names::ticks).toArray());
      FirstTimes found = Expectation.await(store.engine().firstTimes(times, SharedRoom.NOBODY));
      Expectation.await(store.engine().write(List.of(mutation), found, SharedRoom.NOBODY));
      store.expectation.acknowledged(List.of(mutation));
    }
  }

  private List<ErasedRow> rows(int to, IntPredicate isErased) {
    List<ErasedRow> rows = new ArrayList<>();
    for (RowKey row : ROWS) {
      ColumnsBuilder names = new ColumnsBuilder(to, 0);
      for (int n = 0; n < to; n++) {
        if (isErased.test(n)) {
          TimeUuid name = name(row, n);
          names.add(name.ticks(), name.lsb(), new byte[0], 0, 0);
        }
      }
      rows.add(new ErasedRow(row, names.build()));
    }
    return rows;
  }

  private static boolean isMarked(int n) {
    return n % EVERY == 0;
  }

  private Erasure erasure(List<ErasedRow> rows, List<String> blanked) {
    long ticks = HOUR.endTicks() + erasures.incrementAndGet();
    return new Erasure(new TimeUuid(ticks, Long.MIN_VALUE), rows, blanked);
  }

  private ErasingStore erasing() {
    return ErasingStore.over(store.engine());
  }

  private Erasure erase(List<ErasedRow> rows) {
    Erasure erasure = erasure(rows, List.of());
    store.expectation.eraseSent(rows);
    Expectation.await(erasing().erase(erasure));
    store.expectation.eraseAcknowledged(rows);
    return erasure;
  }

  private ErasureStatus status(Erasure erasure) {
    return Expectation.await(store.engine().erasures().all()).stream()
        .filter(each -> each.id().equals(erasure.id()))
        .findAny()
        .orElseThrow();
  }

  private void awaitDone(Erasure erasure) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> status(erasure).state() == State.DONE);
  }

  /** Has events in merged sections, in unsealed pages and in the log, and several of each. */
  private void fill() {
    for (int i = 0; i < 4; i++) {
      write(100 * i, 100 * i + 150);
      store.flush();
    }
    store.seal();
    for (int i = 0; i < 3; i++) {
      write(300 + 60 * i, 300 + 60 * i + 120);
      store.flush();
    }
    write(380, 560);
  }

  @Test
  void noByteOfErasedColumnsStays() throws IOException {
    fill();
    ErasedTraces traces = ErasedTraces.of(MARKER, rows(560, ErasureTest::isMarked));
    assertThat(traces.in(store.image()))
        .as("before")
        .contains("pages: payload", "pages: name")
        .anyMatch(trace -> trace.matches("log/\\d+.log: payload"))
        .anyMatch(trace -> trace.matches("arrivals/\\d+.notes: lower half"))
        .anyMatch(trace -> trace.matches("first-times/\\d+.times: lower half"));
    erasedWithoutTraces(traces);
    store.check();
    store.reopen();
    store.check();
    store.seal();
    store.check();
    store.close();
    List<Finding> findings = new ArrayList<>();
    StoreCheck.run(store.files().dir(), findings::add);
    assertThat(findings).isEmpty();
    assertThat(traces.in(store.files().dir())).isEmpty();
  }

  private void erasedWithoutTraces(ErasedTraces traces) throws IOException {
    awaitDone(erase(rows(560, ErasureTest::isMarked)));
    Path image = store.image();
    assertThat(traces.in(image)).isEmpty();
    assertThat(RawPages.read(image).indexesOfOthers()).as("indexes with other values").isZero();
  }

  /** A seal leaves pages in merged sections, and their former copies in a file of several hours. */
  @Test
  void formerCopiesOfSealedPagesGoToo() throws IOException {
    write(0, 200);
    store.flush();
    write(150, 400);
    store.flush();
    store.seal();
    write(0, 30);
    store.seal();
    erasedWithoutTraces(ErasedTraces.of(MARKER, rows(400, ErasureTest::isMarked)));
    store.check();
  }

  @Test
  void aRowThatLosesAllColumnsLeavesNothing() throws IOException {
    write(0, 100);
    store.seal();
    List<ErasedRow> all = rows(100, n -> true);
    awaitDone(erase(all));
    assertThat(ErasedTraces.of("\"user\"", all).in(store.image())).isEmpty();
    assertThat(store.hours()).isEmpty();
    store.reopen();
    assertThat(store.hours()).isEmpty();
    store.write(columns(ROWS.get(0), 200, 210));
    store.kill();
    store.check();
  }

  /** The mark of a row counts the groups of its pages, so one of them must be written anew. */
  @ParameterizedTest
  @ValueSource(ints = {0, PageCodec.PAGE_COLUMNS})
  void aSealedRowOfWhichAPageVanishesHasNoManifestUntilItIsSealedAgain(int vanishing)
      throws IOException {
    RowKey row = ROWS.get(0);
    int size = PageCodec.PAGE_COLUMNS + 1;
    boolean isFirst = vanishing == 0;
    int erasedFrom = vanishing;
    int erasedTo = isFirst ? PageCodec.PAGE_COLUMNS : size;
    store.write(pages(row, size));
    store.seal();
    assertThat(store.image().resolve("pages")).isNotEmptyDirectory();
    RowEntry before = Expectation.await(store.engine().rows(HOUR)).get(0);
    Columns names = pages(row, size).columns().subColumns(erasedFrom, erasedTo).namesOnly();
    List<ErasedRow> rows = List.of(new ErasedRow(row, names.copy()));
    Erasure erasure = erasure(rows, List.of());
    store.expectation.eraseSent(rows);
    Expectation.await(store.engine().erasures().begin(erasure));
    AtomicInteger created = new AtomicInteger();
    store.disk.failing = what -> what.equals("create unfinished") && created.incrementAndGet() > 1;
    Expectation.await(store.engine().erasures().rewrite(erasure.id()));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> status(erasure).failure() != null);
    store.disk.failing = what -> false;
    store.kill();
    awaitDone(erasure);
    store.expectation.eraseAcknowledged(rows);
    RowEntry after = Expectation.await(store.engine().rows(HOUR)).get(0);
    assertThat(after.marks()).isNotEqualTo(before.marks());
    assertThat(after.sealed()).isFalse();
    store.seal();
    RowEntry sealed = Expectation.await(store.engine().rows(HOUR)).get(0);
    assertThat(sealed.columns()).isEqualTo(size - (erasedTo - erasedFrom));
    assertThat(ErasedTraces.of("no such text", rows).in(store.image())).isEmpty();
    store.check();
  }

  /** Returns columns with little payload, which fill pages by their number. */
  private Mutation pages(RowKey row, int size) {
    Random lsbsOfPages = new Random(size);
    ColumnsBuilder columns = new ColumnsBuilder(size, 2 * size);
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    for (int n = 0; n < size; n++) {
      long lsb = Long.MIN_VALUE | lsbsOfPages.nextLong() >>> 2;
      columns.add(row.hour().startTicks() + 12_345 + n * 1_000L, lsb, payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  @Test
  void valuesOfBlankedMembersGoAndNamesStay() throws IOException {
    fill();
    List<ErasedRow> rows = rows(560, ErasureTest::isMarked);
    Erasure erasure = erasure(rows, List.of("user"));
    Expectation.await(erasing().erase(erasure));
    awaitDone(erasure);
    ErasedTraces payloads = new ErasedTraces(MARKER, Set.of());
    assertThat(payloads.in(store.image())).isEmpty();
    store.reopen();
    int blanked = 0;
    for (Columns columns : Expectation.read(store.engine(), ROWS.get(0), Order.ASCENDING)) {
      for (int i = 0; i < columns.size(); i++) {
        String payload = new String(columns.payload(i), StandardCharsets.UTF_8);
        blanked += payload.startsWith("{\"user\":null,\"path\":\"/item/") ? 1 : 0;
      }
    }
    assertThat(blanked).isEqualTo(56);
    assertThat(payloads.in(store.image())).isEmpty();
  }

  /** Readers of late arrivals go on from any name of a record. */
  @Test
  void placesOfLateArrivalsStay() {
    store.write(columns(ROWS.get(0), 0, 10));
    store.write(columns(ROWS.get(0), 10, 11)); // a record of which nothing is left
    LateArrivalPlace end = end();
    awaitDone(erase(rows(20, ErasureTest::isMarked)));
    for (int opened = 0; opened < 2; opened++) {
      assertThat(end()).isEqualTo(end);
      assertThat(LateArrivalReader.behind(store.engine(), LateArrivalPlace.START, random))
          .hasSize(11);
      var rest = Expectation.await(store.engine().lateArrivals(end, 100));
      assertThat(rest.truncated()).isFalse();
      assertThat(rest.settled()).isEmpty();
      store.reopen();
    }
    store.write(columns(ROWS.get(0), 30, 35));
    store.flush();
    store.reopen();
    assertThat(LateArrivalReader.behind(store.engine(), end, random)).hasSize(4 + 1);
  }

  private LateArrivalPlace end() {
    return Expectation.await(store.engine().lateArrivals(LateArrivalPlace.NEWEST, 1)).settledEnd();
  }

  @Test
  void theHashesOfADoneErasureAreForgottenInTheEnd() throws IOException {
    write(0, 20);
    Erasure erasure = erase(rows(20, ErasureTest::isMarked));
    awaitDone(erasure);
    store.clock.set(store.clock.instant().plus(Duration.ofDays(30)));
    store.retain();
    assertThat(status(erasure).state()).isEqualTo(State.DONE);
    Expectation.await(erasing().write(List.of(columns(ROWS.get(0), 0, 1))));
    store.check();
    Object mark = Expectation.await(erasing().erasureMark());
    store.clock.set(store.clock.instant().plusMillis(1));
    store.retain();
    assertThat(Expectation.await(store.engine().erasures().all())).isEmpty();
    assertThat(Expectation.await(erasing().erasureMark())).isSameAs(mark);
    assertThat(store.files().erasures()).isEmptyDirectory();
    store.expectation.sent(List.of(columns(ROWS.get(0), 0, 1)));
  }

  /** A clock that is set ahead does not make the store forget. */
  @Test
  void aWrongClockForgetsNothing() {
    write(0, 20);
    Erasure erasure = erase(rows(20, ErasureTest::isMarked));
    awaitDone(erasure);
    store.clockAheadMillis = Duration.ofDays(40).toMillis();
    store.clock.set(store.clock.instant().plus(Duration.ofDays(40)));
    store.retain();
    assertThat(status(erasure).state()).isEqualTo(State.DONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create VERSION.new",
        "force VERSION.new",
        "move VERSION.new",
        "forceDirectory data",
        "createDirectories erasures",
        "create N.erasure.new",
        "write N.erasure.new",
        "force N.erasure.new",
        "move N.erasure.new",
        "forceDirectory erasures"
      })
  void anErasureThatCannotBeNotedHasNoEffect(String operation) throws IOException {
    write(0, 100);
    Erasure erasure = erasure(rows(100, ErasureTest::isMarked), List.of());
    store.disk.failing = operation::equals;
    assertThatThrownBy(() -> Expectation.await(erasing().erase(erasure)))
        .isInstanceOf(UnavailableException.class);
    store.disk.failing = what -> false;
    store.kill();
    assertThat(Expectation.await(store.engine().erasures().all())).isEmpty();
    store.check();
    store.expectation.eraseSent(erasure.rows());
    Expectation.await(erasing().erase(erasure));
    store.expectation.eraseAcknowledged(erasure.rows());
    awaitDone(erasure);
    store.check();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create N.log",
        "create unfinished",
        "write unfinished",
        "force unfinished",
        "force CATALOGUE",
        "delete N.pages",
        "write N.notes.new",
        "move N.notes.new",
        "force N.times.new",
        "move N.times.new",
        "force N.erasure.new"
      })
  void aFailureIsNamedAndTheErasureGoesOnLater(String operation) throws IOException {
    write(0, 100);
    store.seal();
    write(100, 150);
    List<ErasedRow> rows = rows(150, ErasureTest::isMarked);
    Erasure erasure = erasure(rows, List.of());
    Expectation.await(store.engine().erasures().begin(erasure));
    store.disk.failing = operation::equals;
    Expectation.await(store.engine().erasures().rewrite(erasure.id()));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> status(erasure).failure() != null);
    assertThat(status(erasure).state()).isEqualTo(State.REWRITING);
    store.disk.failing = what -> false;
    store.kill();
    awaitDone(erasure);
    assertThat(status(erasure).failure()).isNull();
    assertThat(ErasedTraces.of(MARKER, rows).in(store.image())).isEmpty();
    store.expectation.eraseAcknowledged(rows);
    store.check();
  }

  @Test
  void recordsOfLateArrivalsAreAddedAfterAFailedRewriteOfOlderOnes() throws IOException {
    write(0, 20);
    store.flush();
    store.reopen();
    write(21, 29);
    store.flush(); // to a second file
    List<ErasedRow> rows = rows(20, ErasureTest::isMarked);
    Erasure erasure = erasure(rows, List.of());
    store.expectation.eraseSent(rows);
    Expectation.await(store.engine().erasures().begin(erasure));
    AtomicInteger written = new AtomicInteger();
    store.disk.failing = what -> what.equals("write N.notes.new") && written.incrementAndGet() > 2;
    Expectation.await(store.engine().erasures().rewrite(erasure.id()));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> status(erasure).failure() != null);
    write(31, 39);
    store.flush();
    store.disk.failing = what -> false;
    store.kill();
    awaitDone(erasure);
    store.expectation.eraseAcknowledged(rows);
    store.check();
    assertThat(LateArrivalReader.behind(store.engine(), LateArrivalPlace.START, random))
        .hasSize(ROWS.size() * (20 + 8 + 8));
  }

  @Test
  void recordsWhoseForceFailedLeaveTheirFile() throws IOException {
    write(0, 20);
    AtomicInteger forced = new AtomicInteger();
    store.disk.failing = what -> what.equals("force N.notes") && forced.incrementAndGet() == 2;
    store.flush(); // the first force is that of the preamble
    assertThat(forced).hasValueGreaterThanOrEqualTo(2);
    store.disk.failing = what -> false;
    store.flush();
    Path uncounted = store.files().lateArrivals(1);
    assertThat(Files.size(uncounted)).isGreaterThan(FramePreamble.BYTES);
    List<ErasedRow> rows = rows(20, ErasureTest::isMarked);
    Erasure erasure = erase(rows);
    awaitDone(erasure);
    assertThat(Files.size(uncounted)).isEqualTo(FramePreamble.BYTES);
    store.kill();
    store.check();
  }

  @Test
  void aFileThatIsReadIsDeletedBeforeTheErasureIsDone() throws IOException {
    write(0, 100);
    store.flush();
    List<ErasedRow> rows = rows(100, ErasureTest::isMarked);
    Set<Long> before = store.pageFiles().keySet();
    Erasure erasure;
    try (StorePoint reading = store.engine().backups().source().take()) {
      erasure = erase(rows);
      Awaitility.await()
          .until(() -> store.fileUse().stream().noneMatch(file -> before.contains(file.number())));
      store.retain(); // after the steps that are under way
      assertThat(reading.catalogue().files()).isNotEmpty();
      assertThat(store.pageFiles()).containsKeys(before.toArray(new Long[0]));
      Awaitility.await().until(() -> status(erasure).failure() != null);
      assertThat(status(erasure).state()).isEqualTo(State.REWRITING);
      assertThat(status(erasure).failure()).contains("reads files that are to be");
    }
    awaitDone(erasure);
    assertThat(status(erasure).failure()).isNull();
    assertThat(ErasedTraces.of(MARKER, rows).in(store.image())).isEmpty();
  }

  @Test
  void anHourThatLacksAPartIsNotDone() throws IOException {
    write(0, 100);
    store.flush();
    long newest = store.pageFiles().keySet().stream().reduce(0L, Math::max);
    store.close();
    Path file = store.files().pages(newest);
    Path away = Files.move(file, temp.resolve("away"));
    store.missing = List.of("pages");
    store.reopen();
    List<ErasedRow> rows = rows(100, ErasureTest::isMarked);
    Erasure erasure = erase(rows);
    Awaitility.await().until(() -> status(erasure).failure() != null);
    assertThat(status(erasure).failure()).contains("a part is missing");
    store.close();
    Files.move(away, file);
    store.missing = List.of();
    store.reopen();
    awaitDone(erasure);
    assertThat(ErasedTraces.of(MARKER, rows).in(store.image())).isEmpty();
    store.check();
  }

  @Test
  void aDamagedFileOfAnErasureIsRefusedAndFound() throws IOException {
    write(0, 100);
    Erasure erasure = erasure(rows(100, ErasureTest::isMarked), List.of());
    Expectation.await(store.engine().erasures().begin(erasure));
    store.close();
    Path file = store.files().erasure(1);
    byte[] good = Files.readAllBytes(file);
    for (int cut : new int[] {0, 20, 36, good.length / 2, good.length - 1}) {
      Files.write(file, Arrays.copyOf(good, cut));
      refusedAndFound(file);
    }
    byte[] flipped = good.clone();
    flipped[good.length / 2] ^= 4;
    Files.write(file, flipped);
    refusedAndFound(file);
    Files.write(file, good);
    store.reopen();
    awaitDone(erasure);
  }

  private void refusedAndFound(Path file) {
    assertThatThrownBy(store::reopen)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("restore the file, or remove it and erase again");
    List<Finding> findings = new ArrayList<>();
    StoreCheck.run(store.files().dir(), findings::add);
    assertThat(findings)
        .extracting(Finding::damage)
        .anyMatch(each -> each.contains(file.toString()));
  }

  @Test
  void pointsThatWereMadeBeforeStillHoldTheBytes() throws IOException {
    write(0, 100);
    String before = backup();
    Erasure erasure = erase(rows(100, ErasureTest::isMarked));
    awaitDone(erasure);
    assertThat(status(erasure).holds()).singleElement().asString().contains(before);
    store.clock.set(store.clock.instant().plusSeconds(2));
    backup();
    assertThat(status(erasure).holds()).singleElement().asString().contains(before);
  }

  /** Nobody makes one there with this program, but it may have been moved there. */
  @Test
  void pointsOfABackupInTheFolderOfAnotherHoldTheBytesToo() throws IOException {
    write(0, 100);
    String ofInner = backup(temp.resolve("elsewhere"));
    String outer = backup();
    Path inner = temp.resolve("backups").resolve("weekly");
    Files.move(temp.resolve("elsewhere"), inner);
    Erasure erasure = erase(rows(100, ErasureTest::isMarked));
    awaitDone(erasure);
    assertThat(status(erasure).holds())
        .containsExactlyInAnyOrder(
            "backup " + temp.resolve("backups") + ", point " + outer,
            "backup " + inner + ", point " + ofInner);
  }

  @Test
  void filesOfABackupWithoutAPointAreNamedUntilAPrune() throws IOException {
    write(0, 100);
    String id = backup();
    Path backup = temp.resolve("backups");
    Files.delete(backup.resolve("points").resolve(id + ".point"));
    Erasure erasure = erase(rows(100, ErasureTest::isMarked));
    awaitDone(erasure);
    for (Path file : list(backup.resolve("pool"))) { // the clock of the store is not of the disk
      Files.setLastModifiedTime(file, FileTime.from(store.clock.instant().minusSeconds(2)));
    }
    assertThat(status(erasure).holds())
        .singleElement()
        .asString()
        .contains(backup.toString(), "files in pool/ that no point has");
    store.clock.set(store.clock.instant().plusSeconds(2));
    backup();
    assertThat(status(erasure).holds()).hasSize(1);
    for (Path file : list(backup.resolve("pool"))) {
      Files.setLastModifiedTime(file, FileTime.from(store.clock.instant()));
    }
    assertThat(status(erasure).holds()).as("made later").isEmpty();
  }

  /** A state is asked for again and again, and a point may list a million files. */
  @Test
  void aPointIsReadOnceForAllStates() throws IOException {
    write(0, 100);
    Path point = temp.resolve("backups").resolve("points").resolve(backup() + ".point");
    Erasure erasure = erase(rows(100, ErasureTest::isMarked));
    awaitDone(erasure);
    List<String> holds = status(erasure).holds();
    assertThat(holds).hasSize(1);
    FileTime time = Files.getLastModifiedTime(point);
    Files.write(point, new byte[Math.toIntExact(Files.size(point))]);
    Files.setLastModifiedTime(point, time);
    assertThat(status(erasure).holds()).as("read before").isEqualTo(holds);
    Files.setLastModifiedTime(point, FileTime.from(time.toInstant().plusSeconds(1)));
    assertThat(status(erasure).holds()).anyMatch(each -> each.contains("cannot be listed"));
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void aRestoredStoreGoesOnWithAnErasure() throws IOException {
    write(0, 100);
    List<ErasedRow> rows = rows(100, ErasureTest::isMarked);
    Erasure begun = erasure(rows, List.of());
    Expectation.await(store.engine().erasures().begin(begun));
    backup();
    restore();
    awaitDone(begun);
    assertThat(ErasedTraces.of(MARKER, rows).in(store.image())).isEmpty();
    store.expectation.eraseAcknowledged(rows);
    store.check();
    store.clock.set(store.clock.instant().plusSeconds(2));
    backup();
    restore();
    assertThat(status(begun).state()).isEqualTo(State.DONE);
    Expectation.await(erasing().write(List.of(columns(ROWS.get(0), 0, 1)))); // a repeat
    store.check();
    assertThat(ErasedTraces.of(MARKER, rows).in(store.image())).isEmpty();
  }

  /** Programs that do not know erasures would show the events again. */
  @Test
  void theVersionIsRaisedByTheFirstErasure() throws IOException {
    write(0, 20);
    backup();
    assertThat(version()).isEqualTo("hourglass embedded store 4\n");
    Erasure erasure = erase(rows(20, ErasureTest::isMarked));
    assertThat(version()).isEqualTo("hourglass embedded store 5\n");
    awaitDone(erasure);
    store.reopen();
    assertThat(version()).isEqualTo("hourglass embedded store 5\n");
    store.check();
    restore();
    assertThat(version()).as("as of the point").isEqualTo("hourglass embedded store 4\n");
  }

  @Test
  void aRestoredStoreWithErasuresHasTheRaisedVersion() throws IOException {
    write(0, 20);
    awaitDone(erase(rows(20, ErasureTest::isMarked)));
    backup();
    restore();
    assertThat(version()).isEqualTo("hourglass embedded store 5\n");
  }

  @Test
  void aFolderToWhichErasuresWereCopiedIsRaisedByItsStart() throws IOException {
    write(0, 20);
    awaitDone(erase(rows(20, ErasureTest::isMarked)));
    store.close();
    Files.writeString(store.files().dir().resolve("VERSION"), "hourglass embedded store 4\n");
    store.reopen();
    assertThat(version()).isEqualTo("hourglass embedded store 5\n");
  }

  private String version() throws IOException {
    return Files.readString(store.files().dir().resolve("VERSION"));
  }

  private void restore() throws IOException {
    Path restored = temp.resolve("restored" + erasures.incrementAndGet());
    Restore.Result result =
        Restore.run(
            new Restore.Options(temp.resolve("backups"), null, null, null, restored),
            new SystemDisk(),
            finding -> {});
    assertThat(result.damages()).isZero();
    store.goOnFrom(restored);
  }

  private String backup() {
    return backup(temp.resolve("backups"));
  }

  private String backup(Path folder) {
    Backups backups = store.engine().backups();
    String id = Expectation.await(backups.begin(folder, false, 0)).id();
    Awaitility.await().until(() -> hasEnded(backups.last()));
    return id;
  }

  private static boolean hasEnded(@Nullable BackupState state) {
    return state != null && state.ended() != null;
  }
}
