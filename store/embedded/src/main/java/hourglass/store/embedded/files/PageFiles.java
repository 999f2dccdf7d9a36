package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page files of a store. Each is written once; a file that the forced catalogue does not list
 * is deleted when no reader may know it any more. Many threads may read, one at a time may write.
 */
public final class PageFiles implements PageSource, Closeable {
  private static final Logger logger = LoggerFactory.getLogger(PageFiles.class);

  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final OpenPageFiles open;
  private final ReadEpochs reads = new ReadEpochs();

  /** The files that are not listed any more, the oldest first. */
  private final Deque<Unlisted> unlisted = new ArrayDeque<>();

  /** Whether some of them wait for a read. */
  private volatile boolean hasWaiting;

  private long newest;

  /** A file that reads of an epoch, and of those before, may know. */
  private record Unlisted(long number, long epoch) {}

  public PageFiles(Disk disk, StoreFiles files, StoreCatalogue catalogue) throws IOException {
    this.disk = disk;
    this.files = files;
    this.catalogue = catalogue;
    this.open = new OpenPageFiles(disk, files::pages, OpenPageFiles.OPEN_MAX);
    List<Long> numbers = numbers(files);
    this.newest =
        Math.max(
            catalogue.pages().newestFile(),
            numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1));
  }

  /** Returns the numbers of all page files on disk, sorted. */
  public static List<Long> numbers(StoreFiles files) throws IOException {
    return StoreFiles.numbers(files.pages(), StoreFiles.PAGES_SUFFIX);
  }

  /** Reads what a file says of itself. Throws CorruptException if it is damaged. */
  public static PageFileRecord record(StoreFiles files, long number) throws IOException {
    return PageFileFormat.read(files.pages(number), number);
  }

  /**
   * Returns 32 hexadecimals that distinguish a file from others with its number. They are computed
   * from the foot, which has the checksums of the directories, and these have those of the pages.
   *
   * @throws CorruptException if the head or the foot is damaged
   */
  public static String identity(StoreFiles files, long number) throws IOException {
    return PageFileFormat.identity(files.pages(number), number);
  }

  /**
   * Whether a file had some of these hours when it was written, which the catalogue may know no
   * more. Returns true if the file cannot tell.
   */
  public boolean mayHaveHad(long number, Predicate<Hour> hours) {
    try {
      return record(files, number).sections().stream()
          .anyMatch(section -> hours.test(section.of().hour()));
    } catch (IOException | CorruptException e) {
      logger.warn("{}: its foot cannot be read: {}", path(number), e.getMessage());
      return true;
    }
  }

  static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  public StoreCatalogue catalogue() {
    return catalogue;
  }

  @Override
  public List<SectionInFile> sections(ClassHour of) {
    return catalogue.sections(of);
  }

  @Override
  public List<LostPage> lost(ClassHour of) {
    return catalogue.lost(of);
  }

  /** Returns the pages that repairs took out of use. */
  public PagesAside aside() {
    return new PagesAside(disk, files, catalogue);
  }

  public ReadEpochs reads() {
    return reads;
  }

  /**
   * Returns the files that are not listed.
   *
   * @param nextGroup the next group of the log
   * @throws CorruptException if a file has columns that the log has not reached, so that the
   *     catalogue and the log are older than the file
   */
  public List<Path> unlisted(long nextGroup) throws IOException {
    Set<Long> listed = new HashSet<>();
    catalogue.files().forEach(file -> listed.add(file.number()));
    List<Path> found = new ArrayList<>();
    for (long number : numbers(files)) {
      if (!listed.contains(number)) {
        refuseNewer(number, nextGroup);
        found.add(files.pages(number));
      }
    }
    return found;
  }

  /**
   * Removes files that are not listed: those that a crash kept from being listed, whose columns are
   * still in the log, and those that it kept from being deleted. If parts are missing, only
   * unfinished files are removed: a catalogue or log that lost its end may have listed the others,
   * which then have the only copy of their pages. Later starts, for which nothing is missing any
   * more, keep these files too, until all are listed or an operator removes {@link
   * StoreFiles#keptPages}.
   *
   * @param nextGroup the next group of the log
   * @param hasMissingParts whether parts of the directory are missing, and that is accepted
   * @throws CorruptException as in {@link #unlisted}
   */
  public void removeUnlisted(long nextGroup, boolean hasMissingParts) throws IOException {
    List<Path> unlistedFiles = new ArrayList<>(unlisted(nextGroup));
    boolean wereKept = FileKind.FILE.isAt(files.keptPages());
    if (unlistedFiles.isEmpty()) {
      disk.delete(files.keptPages());
    } else if (hasMissingParts || wereKept) {
      if (!wereKept) {
        disk.replace(files.keptPages(), "parts were missing\n");
      }
      unlistedFiles.forEach(this::warnOfKept);
      unlistedFiles.clear();
    }
    if (FileKind.FILE.isAt(files.unfinishedPages())) {
      unlistedFiles.add(files.unfinishedPages());
    }
    if (!unlistedFiles.isEmpty()) {
      catalogue.settle();
      for (Path file : unlistedFiles) {
        logger.info("{}: removed, {} does not list it", file, files.catalogue());
        disk.delete(file);
      }
      disk.forceDirectory(files.pages());
    }
  }

  private void warnOfKept(Path file) {
    logger.warn(
        "{}: {} does not list it, but parts are or were missing, and it may have the only copy of"
            + " some pages, so it stays; to serve its pages, move {} away, and start with {}; if you"
            + " need none of these files, remove {} without that setting",
        file,
        files.catalogue(),
        files.catalogue(),
        MissingParts.setting(List.of(StoreFiles.CATALOGUE)),
        files.keptPages());
  }

  private void refuseNewer(long number, long nextGroup) throws IOException {
    FileKind.FILE.isAt(files.pages(number)); // a folder is not ours to remove
    long newestGroup;
    try {
      newestGroup = record(files, number).newestGroup();
    } catch (CorruptException e) {
      return; // whatever it had, the catalogue and the log agree on the rest
    }
    if (newestGroup >= nextGroup) {
      throw new CorruptException(
          ("%s: has pages of group %s, %s does not list it, and the log ends before group %s: they"
                  + " are not of one moment, as in a copy that was made while a process wrote;"
                  + " restore all of one moment")
              .formatted(files.pages(number), newestGroup, files.catalogue(), nextGroup));
    }
  }

  /** Begins a commit, after the one before was committed or closed. */
  public PageCommit beginCommit() throws IOException {
    // A failed commit may have left a file, and its record, which a crash could bring to life.
    catalogue.settle();
    tryDeletingUnused();
    return new PageCommit(this);
  }

  private void tryDeletingUnused() {
    try {
      deleteUnused();
    } catch (IOException e) {
      logger.warn("files without pages cannot be deleted, tried again later: {}", e.toString());
    }
  }

  /** The greatest number that a page file has had. Used by the thread that commits. */
  public long newestNumber() {
    return newest;
  }

  /**
   * Whether a file up to a number is not listed any more, and still on the disk. Used by the thread
   * that commits.
   */
  public boolean hasWaitingUpTo(long number) {
    return unlisted.stream().anyMatch(file -> file.number() <= number);
  }

  long nextNumber() {
    return ++newest;
  }

  PageFileWriter begin(long number) throws IOException {
    return PageFileWriter.begin(disk, files.pages(number), files.unfinishedPages(), number);
  }

  void list(PageFileRecord file) throws IOException {
    try {
      catalogue.add(file);
    } catch (IOException | RuntimeException e) {
      // The record may be durable nevertheless. So the file is deleted after the record is cut off.
      discard(file.number());
      throw e;
    }
  }

  /** Deletes a file that is not listed, the next time. */
  void discard(long number) {
    unlisted.add(new Unlisted(number, reads.next()));
  }

  /** Finds the files that are not listed any more. Reads that begin later do not know them. */
  void takeUnlisted() {
    List<Long> numbers = catalogue.pages().takeUnlisted();
    if (!numbers.isEmpty()) {
      long epoch = reads.next();
      numbers.forEach(number -> unlisted.add(new Unlisted(number, epoch)));
    }
  }

  /**
   * Deletes files that are not listed any more, unless a read is under way that began before. The
   * next call deletes the rest.
   *
   * @throws IOException if a file cannot be deleted, after all others were tried
   */
  public void deleteUnused() throws IOException {
    takeUnlisted();
    if (unlisted.isEmpty()) {
      return;
    }
    catalogue.settle();
    boolean any = false;
    IOException failure = null;
    for (Iterator<Unlisted> oldest = unlisted.iterator(); oldest.hasNext(); ) {
      Unlisted file = oldest.next();
      if (!reads.hasEnded(file.epoch())) {
        break;
      }
      open.forget(file.number());
      try {
        disk.delete(files.pages(file.number()));
        oldest.remove();
        any = true;
      } catch (IOException e) {
        failure = e;
      }
    }
    hasWaiting = !unlisted.isEmpty();
    if (any) {
      disk.forceDirectory(files.pages());
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * The bytes of files that are not listed any more, and are deleted when reads and backups that
   * may know them have ended. Used by the thread that commits.
   */
  public long waitingBytes() {
    return unlisted.stream().mapToLong(file -> path(file.number()).toFile().length()).sum();
  }

  /** Whether files of the disk wait for the end of reads that may know them. */
  public boolean hasWaiting() {
    return hasWaiting;
  }

  @Override
  public <T> T read(long number, Function<PositionalReader, T> reading) {
    try {
      return open.read(number, reading);
    } catch (CorruptException | UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptException(e.toString(), e);
    }
  }

  /** The number of files that are open for reading. */
  int openFiles() {
    return open.count();
  }

  @Override
  public Path path(long number) {
    return files.pages(number);
  }

  /** The bytes of all listed page files. */
  public long diskBytes() {
    return catalogue.pages().bytes();
  }

  /** Closes all files, after the last read and commit. */
  @Override
  public void close() {
    tryDeletingUnused();
    open.close();
  }
}
