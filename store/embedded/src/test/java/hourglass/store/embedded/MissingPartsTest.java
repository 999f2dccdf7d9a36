package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.log.LogReplay;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is missing of a data directory is named by the start, which refuses, and proposes the
 * setting that serves the rest; the rest then says that it is not all, until that is put back, or
 * over.
 */
class MissingPartsTest {
  private static final Hour GONE = HOUR;
  private static final Hour THERE = HOUR.next();
  private static final RowKey ROW = new RowKey(GONE, "click", 0);
  private static final RowKey OTHER = new RowKey(THERE, "click", 0);
  private static final RowKey SHORT_LIVED = new RowKey(GONE, RandomWrites.SHORT_LIVED, 0);

  private TestStore store;
  private Path data;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void fill() throws IOException {
    Map<String, Duration> byType = Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30));
    store =
        new TestStore(
            temp,
            options ->
                options
                    .sealAfter(Duration.ZERO)
                    .retention(Retention.of(Retention.FOREVER, byType)));
    store.clock.set(THERE.end().plus(Duration.ofDays(1)));
    for (Mutation each :
        List.of(
            columns(ROW, 0, 100),
            columns(OTHER, 0, 30),
            columns(SHORT_LIVED, 0, 7),
            columns(ROW, 100, 120))) {
      store.write(each);
      store.flush(); // each has a page file
    }
    data = store.files().dir();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private long columnsOf(RowKey row) {
    return store.rows(row.hour()).stream()
        .filter(entry -> entry.row().equals(row))
        .mapToLong(entry -> entry.columns())
        .sum();
  }

  private List<String> missing(Hour hour) {
    return store.engine().missing(hour, hour);
  }

  /** Opens with the very setting that the refusal proposes. */
  private String openAsProposed() {
    CorruptException refusal = refusal();
    Matcher setting =
        Pattern.compile("--set 'store.embedded.missing=\\[([^]']+)]'")
            .matcher(String.valueOf(refusal.getMessage()));
    assertThat(setting.find()).as(refusal.getMessage()).isTrue();
    store.missing = List.of(setting.group(1).split(", ", -1));
    store.reopen();
    return String.valueOf(refusal.getMessage());
  }

  private CorruptException refusal() {
    CorruptException[] refusal = new CorruptException[1];
    assertThatThrownBy(store::reopen)
        .isInstanceOfSatisfying(CorruptException.class, e -> refusal[0] = e);
    return refusal[0];
  }

  private void cut(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  /** The page file of one of the writes at the beginning. */
  private Path file(int write) {
    return new StoreFiles(data).pages(write);
  }

  private String name(int write) {
    return data.relativize(file(write)).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "4", "1 cut", "4 cut", "1 longer"})
  void aMissingPageFileIsReported(String part) throws IOException {
    store.close();
    int number = Integer.parseInt(part.split(" ")[0]);
    Path gone = file(number);
    Path aside = temp.resolve("aside");
    Files.copy(gone, aside);
    if (part.endsWith("cut")) {
      cut(gone, Files.size(gone) - 1);
    } else if (part.endsWith("longer")) {
      Files.write(gone, new byte[1], StandardOpenOption.APPEND);
    } else {
      Files.delete(gone);
    }
    assertThat(openAsProposed())
        .contains(gone.toString(), "restore", name(number), GONE.toString(), data + "/CATALOGUE");
    assertThat(missing(GONE)).containsExactly(name(number));
    assertThat(missing(THERE)).isEmpty();
    assertThat(store.engine().missing(Hour.FIRST, Hour.LAST)).containsExactly(name(number));
    assertThat(columnsOf(OTHER)).isEqualTo(30);
    assertThat(columnsOf(SHORT_LIVED)).isEqualTo(7);
    long left = columnsOf(ROW);
    assertThat(left).isEqualTo(number == 1 ? 20 : 100);
    store.write(columns(ROW, 500, 510));
    store.flush();
    store.seal();
    store.retain();
    store.reopen();
    assertThat(columnsOf(ROW)).isEqualTo(left + 10);
    assertThat(missing(GONE)).containsExactly(name(number));
    store.missing = List.of();
    assertThat(refusal()).hasMessageContaining(gone.toString());
    // Put back, everything is there, with what was written meanwhile.
    Files.move(aside, gone, StandardCopyOption.REPLACE_EXISTING);
    store.reopen();
    assertThat(missing(GONE)).isEmpty();
    store.check();
    store.seal();
    store.check();
    store.reopen();
    store.check();
  }

  /** A seal replaced pages of the files that are there; they are read instead. */
  @Test
  void pagesThatAMissingFileReplacedAreNotNeeded() throws IOException {
    store.seal();
    store.write(columns(ROW, 90, 130));
    store.flush();
    store.close();
    long newest = PageFiles.numbers(new StoreFiles(data)).stream().max(Long::compare).get();
    Files.delete(new StoreFiles(data).pages(newest));
    openAsProposed();
    assertThat(columnsOf(ROW)).isEqualTo(120);
    assertThat(missing(GONE)).hasSize(1);
  }

  @Test
  void aMissingFolderOfAllPagesIsReported() throws IOException {
    store.close();
    TestStore.delete(data.resolve("pages"));
    assertThat(openAsProposed()).contains(data.resolve("pages").toString());
    assertThat(missing(GONE)).containsExactly("pages");
    assertThat(missing(THERE)).containsExactly("pages");
    assertThat(missing(THERE.next())).isEmpty();
    store.write(columns(OTHER, 500, 510));
    store.flush();
    store.reopen();
    assertThat(columnsOf(OTHER)).isEqualTo(10);
    // The folder is there again, for what was written; the files in it are what is missing.
    assertThat(missing(THERE)).containsExactly(name(2));
  }

  @Test
  void manyMissingFilesAreProposedByTheirFolder() throws IOException {
    for (int i = 2; i < 70; i++) {
      store.write(columns(new RowKey(new Hour(HOUR.epochHours() + i), "click", 0), 0, 1));
      store.flush();
    }
    store.close();
    List<Long> numbers = PageFiles.numbers(new StoreFiles(data));
    for (long number : numbers) {
      Files.delete(new StoreFiles(data).pages(number));
    }
    assertThat(openAsProposed()).contains(numbers.size() + " parts are missing", "[pages]'");
    assertThat(missing(GONE)).contains(name(1));
    // However many there are, they keep no other hour from being sealed.
    RowKey older = new RowKey(new Hour(HOUR.epochHours() - 1), "click", 0);
    store.write(columns(older, 0, 10));
    store.clock.set(new Hour(HOUR.epochHours() + 100).end());
    store.seal();
    assertThat(store.manifest(older).columns()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CATALOGUE", "log/segments", "log"})
  void aMissingCatalogueOrLogMakesEveryHourDoubtful(String name) throws IOException {
    store.write(columns(OTHER, 100, 110));
    Path image = store.image();
    store.close();
    TestStore.delete(data);
    copyAllBelow(image, data);
    if (name.equals("log")) {
      for (Path segment : segments()) {
        Files.delete(segment);
      }
    } else {
      Files.delete(data.resolve(name));
    }
    openAsProposed();
    assertThat(missing(GONE)).isNotEmpty().allMatch(path -> path.startsWith(name));
    assertThat(missing(THERE.next())).isNotEmpty();
    assertThat(columnsOf(ROW)).isEqualTo(120);
    assertThat(columnsOf(OTHER)).isEqualTo(name.equals("log") ? 30 : 40);
    store.write(columns(OTHER, 200, 220));
    store.flush();
    store.missing = List.of();
    store.reopen();
    assertThat(columnsOf(OTHER)).isEqualTo(name.equals("log") ? 50 : 60);
    assertThat(missing(GONE)).isEmpty();
  }

  private List<Path> segments() throws IOException {
    StoreFiles files = new StoreFiles(data);
    List<Path> segments = new ArrayList<>();
    for (long number : LogReplay.segments(files)) {
      segments.add(files.segment(number));
    }
    return segments;
  }

  private static void copyAllBelow(Path from, Path to) throws IOException {
    DirectoryImage.of(from).writeTo(to);
  }

  @Test
  void aMissingHourIsForgottenAfterItsRetention() throws IOException {
    store.close();
    Files.delete(file(3));
    openAsProposed();
    assertThat(missing(GONE)).containsExactly(name(3));
    store.clock.set(GONE.end().plus(Duration.ofDays(31)));
    store.retain();
    assertThat(missing(GONE)).isEmpty();
    store.missing = List.of();
    store.reopen();
    assertThat(columnsOf(ROW)).isEqualTo(120);
  }

  @Test
  void aMissingHourIsForgottenWhenDropped() throws IOException {
    store.close();
    Files.delete(file(1));
    openAsProposed();
    store.write(columns(ROW, 500, 510));
    store.flush();
    Expectation.await(store.engine().drop(GONE));
    assertThat(missing(GONE)).isEmpty();
    store.missing = List.of();
    store.reopen();
    assertThat(store.hours()).containsExactly(THERE);
    store.write(columns(ROW, 600, 610));
    store.flush();
    store.reopen();
    assertThat(columnsOf(ROW)).isEqualTo(10);
  }

  @Test
  void partsListedAsMissingButPresentAreServed() {
    store.missing = List.of(name(1), "pages/00000000000000000099.pages/");
    store.reopen();
    store.check();
    assertThat(missing(GONE)).isEmpty();
  }

  /** A kill at the very first segment leaves it without its preamble, and nothing else. */
  @Test
  void aDirectoryWithoutAFinishedSegmentGetsACatalogue() throws IOException {
    store.close();
    TestStore.delete(data);
    StoreFiles files = new StoreFiles(data);
    Files.createDirectories(files.log());
    Files.createDirectories(files.pages());
    Files.createFile(files.segment(1));
    Files.writeString(data.resolve("VERSION"), "hourglass embedded store 4\n");
    new Watermark(1, 0).write(store.disk, files.logRange());
    store.missing = List.of("CATALOGUE");
    store.reopen();
    store.write(columns(OTHER, 0, 10));
    store.missing = List.of();
    store.reopen();
    assertThat(columnsOf(OTHER)).isEqualTo(10);
  }

  @Test
  void aMissingLogIsAbandonedOnce() throws IOException {
    store.write(columns(OTHER, 100, 110));
    Path image = store.image();
    store.close();
    TestStore.delete(data);
    copyAllBelow(image, data);
    for (Path segment : segments()) {
      Files.delete(segment);
    }
    openAsProposed();
    store.missing = List.of();
    store.reopen();
    assertThat(columnsOf(OTHER)).isEqualTo(30);
  }

  /** The page files say what they contain, and what they replace. */
  @Test
  void pageFilesAreTakenForAllThereAreWithoutACatalogue() throws IOException {
    store.seal();
    store.write(columns(ROW, 110, 140), columns(OTHER, 20, 40));
    store.flush();
    store.seal();
    store.write(columns(ROW, 200, 210));
    store.close();
    Files.delete(new StoreFiles(data).catalogue());
    assertThat(refusal()).hasMessageContainingAll(data + "/CATALOGUE", "missing", "restore it");
    openAsProposed();
    store.check();
    store.flush();
    store.missing = List.of();
    store.reopen();
    store.check();
    store.seal();
    store.check();
  }

  /** A cut would take files from the list that have the only copy of their pages. */
  @Test
  void aDamagedCatalogueIsNotToBeCut() throws IOException {
    store.close();
    Path catalogue = new StoreFiles(data).catalogue();
    byte[] bytes = Files.readAllBytes(catalogue);
    bytes[bytes.length / 2] ^= 1;
    Files.write(catalogue, bytes);
    assertThat(refusal())
        .hasMessageContainingAll(catalogue + ": offset ", "restore", "move it away", "[CATALOGUE]")
        .hasMessageNotContaining("truncate");
    Files.delete(catalogue);
    openAsProposed();
    store.check();
  }

  /** The files that the lost records listed have the only copy of their pages. */
  @Test
  void filesThatAnOlderCatalogueDoesNotListAreKept() throws IOException {
    byte[] older = Files.readAllBytes(new StoreFiles(data).catalogue());
    store.seal();
    store.close();
    List<Long> merged = PageFiles.numbers(new StoreFiles(data));
    assertThat(merged).doesNotContain(1L, 2L, 3L, 4L);
    Files.write(new StoreFiles(data).catalogue(), older);
    openAsProposed();
    assertThat(columnsOf(ROW)).isZero();
    assertThat(PageFiles.numbers(new StoreFiles(data))).containsAll(merged);
    store.close();
    Files.delete(new StoreFiles(data).catalogue());
    store.missing = List.of("CATALOGUE");
    store.reopen();
    store.check();
  }

  /** The lost catalogue may have listed them, for all that the other files say. */
  @Test
  void replacedFilesStayBesideALostCatalogue() throws IOException {
    Path image = store.image();
    store.seal();
    store.close();
    StoreFiles files = new StoreFiles(data);
    List<Long> replaced = PageFiles.numbers(new StoreFiles(image));
    for (long number : replaced) {
      Files.copy(
          new StoreFiles(image).pages(number),
          files.pages(number),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Files.delete(files.catalogue());
    store.missing = List.of("CATALOGUE");
    store.reopen();
    store.write(columns(ROW, 300, 320));
    store.flush();
    assertThat(PageFiles.numbers(files)).containsAll(replaced);
    store.check();
  }

  /** The first start with an older log mends the catalogue, so the second misses nothing. */
  @Test
  void filesThatOneStartKeptAreKeptByTheNext() throws IOException {
    byte[] older = Files.readAllBytes(new StoreFiles(data).catalogue());
    store.write(columns(ROW, 300, 320));
    store.flush();
    store.close();
    Files.write(new StoreFiles(data).catalogue(), older);
    assertThat(openAsProposed()).contains("log");
    store.reopen();
    store.missing = List.of();
    store.reopen();
    assertThat(PageFiles.numbers(new StoreFiles(data))).contains(5L);
    store.close();
    Files.delete(new StoreFiles(data).catalogue());
    store.missing = List.of("CATALOGUE");
    store.reopen();
    assertThat(columnsOf(ROW)).isEqualTo(140);
    assertThat(new StoreFiles(data).keptPages()).doesNotExist();
  }

  /**
   * It would assign numbers of groups again, and columns of the next flush would be taken for old.
   */
  @Test
  void anOlderLogIsRefusedBesideALostCatalogue() throws IOException {
    Path older = store.image();
    store.write(columns(ROW, 300, 320));
    store.flush();
    store.close();
    TestStore.delete(data.resolve("log"));
    DirectoryImage.of(older.resolve("log")).writeTo(data.resolve("log"));
    assertThat(refusal()).hasMessageContaining("log");
    Files.delete(new StoreFiles(data).catalogue());
    assertThat(refusal()).hasMessageContainingAll(data + "/CATALOGUE", "missing");
    store.missing = List.of("CATALOGUE");
    assertThat(refusal()).hasMessageContaining("not of one moment");
  }

  /** Its page files are newer, so it must not count as all there is, and they are not removed. */
  @Test
  void anOlderCatalogueAndLogAreRefusedBesideNewerPages() throws IOException {
    Path older = store.image();
    store.write(columns(ROW, 300, 320));
    store.flush();
    store.close();
    for (String name : List.of("log", "arrivals")) {
      TestStore.delete(data.resolve(name));
      DirectoryImage.of(older.resolve(name)).writeTo(data.resolve(name));
    }
    Files.delete(data.resolve("CATALOGUE"));
    Files.copy(older.resolve("CATALOGUE"), data.resolve("CATALOGUE"));
    assertThat(refusal()).hasMessageContainingAll(file(5).toString(), "not of one moment");
    assertThat(file(5)).exists();
  }

  /** It would be older than the lost one. */
  @Test
  void aLeftNewCatalogueIsNotTakenForALostOne() throws IOException {
    store.close();
    Files.move(data.resolve("CATALOGUE"), data.resolve("CATALOGUE.new"));
    assertThat(refusal()).hasMessageContainingAll(data + "/CATALOGUE", "missing", "restore it");
  }
}
