package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.store.embedded.SampleStore.Group;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.frames.FrameHeader;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.log.LogReplay;
import hourglass.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Whatever happens to a file, the store answers right, or says which file is damaged and what to
 * do: never wrong, missing or doubled columns, no other exception, no waiting for ever.
 *
 * <p>One thing cannot be told from a write that a crash interrupted, and is taken for one: the end
 * of the newest segment cut off, or a sector of its last group all zeros. What was behind that
 * place is missing then, no more and no less, and the program's log says where the log ended, and
 * what that leaves unknown. Once a clean stop has written down where the log ends, none of it is
 * taken for interrupted.
 */
@Timeout(1800)
class DamageTest {
  /** Slow machines need less; what waits for ever needs more. */
  private static final Duration DEADLINE = Patience.LONGEST;

  /** The first tier looks at one place of so many. */
  private static final int STEP = Chance.rounds(5, 1, 1);

  private static final int SECTOR_BYTES = 512;

  private final Random random = Chance.random("DamageTest");
  private final Logger replay = (Logger) LoggerFactory.getLogger(LogReplay.class);
  private final ListAppender<ILoggingEvent> notes = new ListAppender<>();
  private SampleStore sample;
  private int cases;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void makeSample() throws IOException {
    sample = new SampleStore(random, temp.resolve("sample"));
  }

  @BeforeEach
  void listen() {
    notes.start();
    replay.addAppender(notes);
    replay.setLevel(Level.INFO);
    replay.setAdditive(false);
  }

  @AfterEach
  void listenNoMore() {
    replay.detachAppender(notes);
    replay.setLevel(null);
    replay.setAdditive(true);
  }

  @Test
  void anUndamagedStoreIsReadWhole() {
    assertThat(new Reading(sample.columns(sample.groups.size())).of(copy()).refusals).isEmpty();
    assertThat(pageFiles()).hasSizeGreaterThan(2);
    assertThat(sample.image.files()).filteredOn(file -> file.endsWith(".notes")).hasSize(2);
    assertThat(segments()).hasSize(3);
  }

  @Test
  void anyFlippedBitOfTheVersionIsHandled() {
    everyBit("VERSION", 0, sample.image.size("VERSION"));
  }

  @Test
  void anyFlippedBitOfTheWitnessesIsHandled() {
    everyBit("log/segments", 0, sample.image.size("log/segments"));
    for (String end : List.of("arrivals/end")) {
      everyBit(end, 0, sample.image.size(end));
    }
  }

  @Test
  void damagedPreamblesAndFrameHeadersAreHandled() {
    for (String segment : List.of(segments().get(0), segments().get(2))) {
      everyByte(segment, 0, FramePreamble.BYTES + FrameHeader.BYTES);
    }
    everyByte("CATALOGUE", 0, FramePreamble.BYTES + FrameHeader.BYTES);
    for (String notes : arrivals()) {
      everyByte(notes, 0, FramePreamble.BYTES + FrameHeader.BYTES);
    }
    Group last = sample.groups.get(sample.groups.size() - 1);
    everyByte(last.segment(), last.from(), last.from() + FrameHeader.BYTES);
  }

  @Test
  void damagedNotesAreHandled() {
    for (String file : arrivals()) {
      long size = sample.image.size(file);
      for (int i = 0; i < Chance.rounds(8, 60, 2_000); i++) {
        long at = random.nextInt((int) size);
        check(Damage.flip(file, at, random.nextInt(8)));
        check(Damage.zeros(file, at, 1 + random.nextInt(600)));
        check(Damage.cut(file, at));
      }
    }
  }

  /** Head, foot and directories, and the beginnings of pages. */
  @Test
  void damagedPageFilesAreHandled() {
    for (String file : pageFiles()) {
      long size = sample.image.size(file);
      for (int at = 0; at < 40; at += Chance.rounds(8, 3, 1)) {
        check(Damage.flip(file, at, random.nextInt(8)));
        check(Damage.flip(file, size - 1 - at, random.nextInt(8)));
      }
      for (int i = 0; i < Chance.rounds(4, 20, 400); i++) {
        check(Damage.noise(file, random.nextInt((int) size), 1 + random.nextInt(200), random));
      }
    }
  }

  /** A damaged page affects no other one. */
  @Test
  void damageOfAPageAffectsItsRowOnly() throws IOException {
    Path dir = copy();
    PageFiles files = PagesOnDisk.open(new SystemDisk(), dir);
    for (ClassHour of : files.catalogue().hours()) {
      HourPages hour = PagesOnDisk.load(files, of.retentionClass(), of.hour(), Set.of());
      for (PageMeta page : hour.pages()) {
        String file = dir.relativize(new StoreFiles(dir).pages(page.file())).toString();
        long at = page.position() + random.nextInt(page.storedBytes());
        Reading reading = read(Damage.flip(file, at, random.nextInt(8)));
        assertThat(reading.refusals)
            .allSatisfy(refusal -> assertThat(refusal).hasMessageContaining(page.row() + ":"));
      }
    }
    files.close();
  }

  private Reading read(Damage damage) {
    Path dir = copy();
    damage.in(dir);
    Reading reading = new Reading(sample.columns(sample.groups.size()));
    read(damage, dir, reading, List.of(damage.file()));
    delete(dir);
    return reading;
  }

  @Test
  void damageAnywhereIsHandled() {
    for (int i = 0; i < Chance.rounds(40, 150, 6_000); i++) {
      List<String> files = sample.image.files();
      String file = files.get(random.nextInt(files.size()));
      long at = place(file);
      check(
          switch (random.nextInt(4)) {
            case 0 -> Damage.zeros(file, at, 1 + random.nextInt(2000));
            case 1 -> Damage.noise(file, at, 1 + random.nextInt(200), random);
            default -> Damage.flip(file, at, random.nextInt(8));
          });
    }
  }

  @Test
  void truncatedFilesAreHandled() {
    for (String file : sample.image.files()) {
      for (int i = 0; i < Chance.rounds(1, 2, 100); i++) {
        check(Damage.cut(file, i == 0 ? random.nextInt(40) : place(file)));
      }
      check(Damage.cut(file, 0));
    }
    sample.groups.forEach(group -> check(Damage.cut(group.segment(), group.to())));
  }

  @Test
  void deletedFilesAreHandled() {
    for (String file : sample.image.files()) {
      check(Damage.delete(file));
    }
  }

  @Test
  void swappedFilesAreHandled() {
    List<String> files = sample.image.files();
    for (int i = 0; i < Chance.rounds(12, 60, 600); i++) {
      String one = files.get(random.nextInt(files.size()));
      String kind = one.replaceAll(".*[.]", "");
      List<String> others = random.nextBoolean() ? files : filesOf(kind);
      String other = others.get(random.nextInt(others.size()));
      if (!one.equals(other)) {
        checkSwapped(one, other);
      }
    }
  }

  /** Every place of the last group is damaged; in the first tier, one of {@link #STEP}. */
  @Test
  void damageAtTheEndOfTheLogIsHandled() {
    Group last = sample.groups.get(sample.groups.size() - 1);
    for (long at = last.from(); at < last.to(); at += STEP) {
      List<Damage> damages =
          new ArrayList<>(
              List.of(
                  Damage.flip(last.segment(), at, random.nextInt(8)),
                  Damage.cut(last.segment(), at),
                  Damage.zeros(last.segment(), at, 1 + random.nextInt(600))));
      Collections.shuffle(damages, random);
      damages.subList(0, Chance.rounds(1, 1, 3)).forEach(damage -> check(damage));
    }
  }

  /** A killed process leaves whole groups, or the beginning of one; a power cut, zeros too. */
  @Test
  void onlyALostSectorLogsAWarning() {
    Group last = sample.groups.get(sample.groups.size() - 1);
    assertThat(noteAfter(Damage.cut(last.segment(), last.from())).getLevel()).isEqualTo(Level.INFO);
    assertThat(noteAfter(Damage.cut(last.segment(), last.to() - 1)).getLevel())
        .isEqualTo(Level.INFO);
    int length = Math.toIntExact(last.to() - last.from());
    ILoggingEvent lost = noteAfter(Damage.zeros(last.segment(), last.from(), length));
    assertThat(lost.getLevel()).isEqualTo(Level.WARN);
    assertThat(lost.getFormattedMessage()).contains("the last " + length + " bytes", "zeros");
  }

  private ILoggingEvent noteAfter(Damage damage) {
    Path dir = copy();
    damage.in(dir);
    notes.list.clear();
    read(damage, dir, sample.groups.size() - 1, List.of(damage.file()));
    delete(dir);
    assertThat(notes.list).isNotEmpty();
    return notes.list.get(0);
  }

  /** The log of a store that stopped before its last segment was flushed. */
  @Test
  void damageAtTheEndOfACleanLogIsDetected() {
    Group last = sample.groups.get(sample.groups.size() - 1);
    for (int i = 0; i < Chance.rounds(8, 60, 2_000); i++) {
      long at = last.from() + random.nextInt((int) (last.to() - last.from()));
      checkKnown(Damage.cut(last.segment(), at));
      checkKnown(Damage.zeros(last.segment(), at, 1 + random.nextInt(60_000)));
      checkKnown(Damage.flip(last.segment(), at, random.nextInt(8)));
    }
    sample.groups.forEach(group -> checkKnown(Damage.cut(group.segment(), group.to() - 1)));
    checkKnown(Damage.delete(last.segment()));
    checkKnown(Damage.cut(last.segment(), 10));
    checkKnown(Damage.delete("log/end")); // then nothing is known of the end, but all is there
  }

  private void checkKnown(Damage damage) {
    Path dir = copy();
    Group last = sample.groups.get(sample.groups.size() - 1);
    String name = Path.of(last.segment()).getFileName().toString();
    long number = Long.parseLong(name.substring(0, name.indexOf('.')));
    try {
      new Watermark(number, last.to()).write(new SystemDisk(), new StoreFiles(dir).logEnd());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    damage.in(dir);
    read(damage, dir, sample.groups.size(), List.of(damage.file()));
    delete(dir);
  }

  @Test
  void foldersAndLinksInPlaceOfFilesAreHandled() {
    List<String> files = new ArrayList<>(sample.image.files());
    files.addAll(List.of("LOCK", "log/end", "pages/unfinished"));
    for (String file : files) {
      check(Damage.folder(file));
      check(Damage.link(file));
    }
  }

  @Test
  void filesAndLinksInPlaceOfFoldersAreHandled() {
    for (String folder : sample.image.folders()) {
      if (!folder.isEmpty()) {
        check(Damage.file(folder));
        check(Damage.link(folder));
      }
    }
  }

  private void everyBit(String file, long from, long to) {
    for (long at = from; at < to; at++) {
      for (int bit = random.nextInt(STEP); bit < 8; bit += STEP) {
        check(Damage.flip(file, at, bit));
      }
    }
  }

  private void everyByte(String file, long from, long to) {
    for (long at = from + random.nextInt(STEP); at < to; at += STEP) {
      check(Damage.flip(file, at, random.nextInt(8)));
      check(Damage.zeros(file, at, 1 + random.nextInt(40)));
    }
  }

  private void checkSwapped(String one, String other) {
    Path dir = copy();
    Damage swap = Damage.swap(one, other, dir);
    swap.in(dir);
    read(swap, dir, sample.groups.size(), List.of(one, other));
    delete(dir);
  }

  private void check(Damage damage) {
    Path dir = copy();
    Path file = dir.resolve(damage.file());
    byte[] before = isNewestSegment(damage.file()) ? bytes(file) : new byte[0];
    damage.in(dir);
    int groups = groupsThere(damage.file(), before, file);
    Group first = groups < sample.groups.size() ? sample.groups.get(groups) : null;
    notes.list.clear();
    read(damage, dir, groups, List.of(damage.file()));
    if (first != null && first.from() <= file.toFile().length()) { // else it is refused
      assertThat(notes.list)
          .as("notes after %s", damage)
          .anySatisfy(
              note ->
                  assertThat(note.getFormattedMessage())
                      .contains(file + ": offset " + first.from(), "did not stop cleanly"));
    }
    delete(dir);
  }

  private void read(Damage damage, Path dir, int groups, List<String> files) {
    read(damage, dir, new Reading(sample.columns(groups)), files);
  }

  private void read(Damage damage, Path dir, Reading reading, List<String> files) {
    try {
      assertTimeoutPreemptively(DEADLINE, () -> reading.of(dir));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(damage + ": " + e, e);
    }
    for (RuntimeException refusal : reading.refusals) {
      assertThat(refusal.getMessage())
          .as("%s", damage)
          .containsAnyOf(
              files.stream().map(file -> dir.resolve(file).toString()).toArray(String[]::new))
          .containsAnyOf("restore", "use the program");
    }
  }

  /**
   * How many groups may still be there: all, or where a file looks as if a write of it had been
   * interrupted, those before.
   */
  private int groupsThere(String file, byte[] before, Path damaged) {
    if (isNewestSegment(file) && Files.isRegularFile(damaged)) {
      byte[] after = bytes(damaged);
      for (int i = 0; i < sample.groups.size(); i++) {
        Group group = sample.groups.get(i);
        if (group.segment().equals(file) && !isSame(before, after, group.from(), group.to())) {
          return looksInterrupted(before, after, i) ? i : sample.groups.size();
        }
      }
    }
    return sample.groups.size();
  }

  private boolean looksInterrupted(byte[] before, byte[] after, int first) {
    Group group = sample.groups.get(first);
    boolean isEnd = group.to() >= after.length || !hasHeader(before, after, group);
    for (Group later : sample.groups.subList(first + 1, sample.groups.size())) {
      isEnd &= !hasHeader(before, after, later);
    }
    return isEnd && (after.length < before.length || hasZeroSector(after, (int) group.from()));
  }

  private static boolean hasHeader(byte[] before, byte[] after, Group group) {
    return isSame(before, after, group.from(), group.from() + FrameHeader.BYTES);
  }

  private static boolean isSame(byte[] before, byte[] after, long from, long to) {
    return to <= after.length
        && Arrays.equals(before, (int) from, (int) to, after, (int) from, (int) to);
  }

  private static boolean hasZeroSector(byte[] bytes, int from) {
    return IntStream.rangeClosed(from / SECTOR_BYTES, (bytes.length - 1) / SECTOR_BYTES)
        .anyMatch(sector -> isZeros(bytes, Math.max(from, sector * SECTOR_BYTES), sector));
  }

  private static boolean isZeros(byte[] bytes, int from, int sector) {
    int to = Math.min(bytes.length, (sector + 1) * SECTOR_BYTES);
    return IntStream.range(from, to).allMatch(at -> bytes[at] == 0);
  }

  private boolean isNewestSegment(String file) {
    return file.equals(segments().get(segments().size() - 1));
  }

  private List<String> segments() {
    return sample.image.files().stream().filter(file -> file.endsWith(".log")).toList();
  }

  private List<String> arrivals() {
    return sample.image.files().stream().filter(file -> file.endsWith(".notes")).toList();
  }

  private List<String> pageFiles() {
    return filesOf(StoreFiles.PAGES_SUFFIX);
  }

  private List<String> filesOf(String suffix) {
    return sample.image.files().stream().filter(file -> file.endsWith(suffix)).toList();
  }

  /** A place in a file; the beginning is as likely as all else. */
  private long place(String file) {
    int size = (int) Math.max(1, sample.image.size(file));
    return random.nextInt(random.nextInt(4) == 0 ? Math.min(256, size) : size);
  }

  /** A copy of the sample, as a process left it that died. */
  private Path copy() {
    try {
      Path dir = temp.resolve(Integer.toString(cases++));
      sample.image.writeTo(dir);
      return dir;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path dir) {
    try (Stream<Path> paths = Files.walk(dir)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
