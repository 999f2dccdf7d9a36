package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.BudgetDrop;
import hourglass.store.Manifest;
import hourglass.store.Mutation;
import hourglass.store.RowEntry;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A store whose directory, disk and clock a test has in hand, with what it must have; it can be
 * closed and opened again, and go on from a copy of its directory, which is what kill -9 leaves.
 * Not thread-safe.
 */
final class TestStore implements AutoCloseable {
  static final Hour HOUR = Hour.parse("2026-11-20T08");

  final TestClock clock = new TestClock();
  final FaultyDisk disk = new FaultyDisk();
  final Expectation expectation = new Expectation();
  private final Path temp;
  private final UnaryOperator<EmbeddedOptionsBuilder> options;

  /** Parts that may be missing from the next opening on. */
  List<String> missing = List.of();

  /** How far the clock was set ahead, which a steady clock does not follow. */
  volatile long clockAheadMillis;

  /** The hours that were dropped for the budget of the disk. */
  final List<BudgetDrop> drops = new CopyOnWriteArrayList<>();

  private MeterRegistry meters = new SimpleMeterRegistry();
  private StoreFiles files;
  private EmbeddedStore store;
  private int images;

  /** Opens a store in a fresh directory below one, with log segments of 1 MiB. */
  TestStore(Path temp, UnaryOperator<EmbeddedOptionsBuilder> options) {
    this.temp = temp;
    this.options = options;
    this.files = new StoreFiles(temp.resolve("data"));
    this.store = open();
  }

  private EmbeddedStore open() {
    meters = new SimpleMeterRegistry();
    EmbeddedOptionsBuilder builder =
        EmbeddedOptions.builder(files.dir()).reserveBytes(0L).segmentBytes(1 << 20);
    builder.missing(missing);
    return StoreOpening.open(
        options.apply(builder).build(),
        clock,
        () -> clock.millis() - clockAheadMillis,
        meters,
        disk,
        drops::add);
  }

  /** The hours of a directory, which need not exist. */
  static Hours hours(Path dir) throws IOException {
    return hours(dir, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  static Hours hours(Path dir, int entriesKept, int entriesMax) throws IOException {
    return hours(dir, type -> StoreFiles.KEEP, entriesKept, entriesMax);
  }

  static Hours hours(
      Path dir, Function<String, String> retentionClassOfType, int entriesKept, int entriesMax)
      throws IOException {
    return hours(new SystemDisk(), dir, retentionClassOfType, entriesKept, entriesMax);
  }

  static Hours hours(
      Disk disk,
      Path dir,
      Function<String, String> retentionClassOfType,
      int entriesKept,
      int entriesMax)
      throws IOException {
    return new Hours(
        PagesOnDisk.open(disk, dir),
        new MissingParts(List.of()),
        retentionClassOfType,
        entriesKept,
        entriesMax);
  }

  EmbeddedStore engine() {
    return store;
  }

  StoreFiles files() {
    return files;
  }

  /** Writes, and expects it to be there from now on. */
  void write(Mutation... mutations) {
    List<Mutation> list = List.of(mutations);
    expectation.sent(list);
    Expectation.await(store.write(list));
    expectation.acknowledged(list);
  }

  void flush() {
    Expectation.await(store.maintenance().flushAll());
  }

  void seal() {
    Expectation.await(store.maintenance().seal());
  }

  void retain() {
    Expectation.await(store.maintenance().retain());
  }

  /** Checks that all is there that was written, and nothing else. */
  void check() {
    expectation.check(store);
  }

  void reopen() {
    store.close();
    store = open();
  }

  /** Leaves the store as kill -9 would, and opens it again. */
  void kill() throws IOException {
    goOnFrom(image());
  }

  /** A copy of the directory as it is at one moment, with nothing closed. */
  Path image() throws IOException {
    Path image = temp.resolve("image" + images++);
    try (FaultyDisk.Held held = disk.holdStill()) {
      copy(files.dir(), image);
    }
    return image;
  }

  /** Opens an image in the place of the store. */
  void goOnFrom(Path image) throws IOException {
    store.close();
    delete(files.dir());
    files = new StoreFiles(image);
    store = open();
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(from)) {
      all = paths.toList();
    }
    for (Path path : all) {
      Path copy = to.resolve(from.relativize(path).toString());
      if (Files.isDirectory(path)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(path, copy);
      }
    }
  }

  static void delete(Path dir) throws IOException {
    try (Stream<Path> paths = Files.walk(dir)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  List<RowEntry> rows(Hour hour) {
    return Expectation.await(store.rows(hour));
  }

  List<Hour> hours() {
    return Expectation.await(store.hours(Hour.FIRST, Hour.LAST));
  }

  /** Returns the entry of a row that must be listed. */
  RowEntry entry(RowKey row) {
    List<RowEntry> found = rows(row.hour()).stream().filter(e -> e.row().equals(row)).toList();
    assertThat(found).as("entries of %s", row).hasSize(1);
    return found.get(0);
  }

  /** The account of a row that must be sealed. */
  Manifest manifest(RowKey row) {
    RowEntry entry = entry(row);
    assertThat(entry.sealed()).as("%s is sealed", row).isTrue();
    return Objects.requireNonNull(entry.manifest());
  }

  /** Memory of columns that are in no page, as the engine tells it. */
  long openBytes() {
    return (long) meters.get("hourglass.store.open").gauge().value();
  }

  /** Reads the pages on disk of an hour that nobody writes to. */
  HourPages pages(String retentionClass, Hour hour) throws IOException {
    return PagesOnDisk.load(PagesOnDisk.open(disk, files.dir()), retentionClass, hour, Set.of());
  }

  /** Reads from the catalogue on disk how much of each page file is in use. */
  List<FileUse> fileUse() throws IOException {
    return StoreCatalogue.load(disk, files).files();
  }

  /** The page files on disk and their lengths, by number. */
  Map<Long, Long> pageFiles() throws IOException {
    Map<Long, Long> bytes = new TreeMap<>();
    for (long number : PageFiles.numbers(files)) {
      bytes.put(number, Files.size(files.pages(number)));
    }
    return bytes;
  }

  @Override
  public void close() {
    store.close();
  }
}
