package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.DroppedHours;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inventory of a store: its page files with the places of their sections, and the first log
 * segment and late arrivals that must exist. A record is forced after the files that it lists, and
 * before the log is cut or a file is deleted. So a listed file is missing only if someone else
 * removed it. Thread-safe. See docs/catalogue-format.md.
 */
public final class StoreCatalogue {
  private static final Logger logger = LoggerFactory.getLogger(StoreCatalogue.class);

  /** The size above which a file is rewritten, if it is several times as long as its content. */
  private static final long BYTES_MIN = 1 << 20;

  private static final int GROWTH_MAX = 4;

  /** The least size of the record of a section. */
  private static final long ENTRY_BYTES = 60;

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;

  /** The durable content. Its pages are read without the lock of this, since a force holds that. */
  private final Inventory listed = new Inventory();

  // The fields from here on are guarded by this.
  private long number = 1;
  private long nextGroup = 1;
  private long durableBytes;

  /** The length of the file at the last rewrite; 0 if there was none. */
  private long newBytes;

  /** Whether the file's name is known to be durable; after a load, it is not. */
  private boolean nameIsForced;

  /**
   * Whether the file may have bytes that are not known to be durable: those of an append that
   * failed, or all of it after a load.
   */
  private boolean isDoubtful;

  public StoreCatalogue(Disk disk, StoreFiles files) {
    this.disk = disk;
    this.files = files;
    this.staging = FrameWriter.staging();
  }

  /** Loads the catalogue. Throws CorruptException if it is missing or damaged. */
  public static StoreCatalogue load(Disk disk, StoreFiles files) throws IOException {
    if (!FileKind.FILE.isAt(files.catalogue())) {
      throw damaged(files, "missing");
    }
    StoreCatalogue catalogue = new StoreCatalogue(disk, files);
    FrameReader reader = FrameReader.open(files.catalogue(), FramePreamble.CATALOGUE, -1, true);
    if (reader == null) { // the file is moved into place whole
      throw damaged(files, "offset 0: no preamble");
    }
    catalogue.replay(reader);
    return catalogue;
  }

  private static CorruptException damaged(StoreFiles files, String what) {
    String orElse = FileKind.FILE.isAt(files.catalogue()) ? ", or move it away and" : ", or";
    return new CorruptException(files.catalogue() + ": " + what + "; restore it" + remedy(orElse));
  }

  /** It is never cut: page files that the rest listed have the only copy of their events. */
  private static String remedy(String orElse) {
    return "%s take the page files that are there for all there are: %s"
        .formatted(orElse, MissingParts.setting(List.of(StoreFiles.CATALOGUE)));
  }

  private synchronized void replay(FrameReader reader) throws IOException {
    boolean isEmpty = true;
    for (ByteBuffer group = next(reader); group != null; group = next(reader)) {
      isEmpty = false;
      try {
        CatalogueRecord.replay(group, listed::take);
      } catch (RuntimeException e) {
        throw damaged(files, "before offset " + reader.goodEnd() + ": " + e);
      }
    }
    if (isEmpty) { // its first group is written before it is moved into place
      throw damaged(files, "offset " + reader.goodEnd() + ": ends before its content");
    }
    listed.endRecords();
    var unused = pages().takeUnlisted(); // the start removes all that is not listed
    number = reader.preamble().number();
    nextGroup = reader.nextGroup();
    durableBytes = reader.goodEnd();
    isDoubtful = true; // a killed process may not have forced the last records
  }

  private @Nullable ByteBuffer next(FrameReader reader) {
    try {
      return reader.next();
    } catch (CorruptException e) {
      throw new CorruptException(e.getMessage() + remedy(", or move it away and"), e);
    }
  }

  ListedPages pages() {
    return listed.pages();
  }

  /** Returns all hours and classes that have pages, sorted. */
  public List<ClassHour> hours() {
    return pages().hours();
  }

  /** Returns the retention classes that have pages of an hour. */
  public List<String> classes(Hour hour) {
    return pages().classes(hour);
  }

  /** Returns the sections of an hour and class, the oldest first. */
  public List<SectionInFile> sections(ClassHour of) {
    return pages().sections(of);
  }

  /** The newest file with a section of an hour and class; 0 if there is none. */
  public long newestFile(ClassHour of) {
    return pages().newestFile(of);
  }

  /** Returns the pages of an hour and class that repairs took out of use. */
  public List<LostPage> lost(ClassHour of) {
    return pages().lost(of);
  }

  /** Returns the pages of the hours {@code [from, to]} that repairs took out of use. */
  public List<LostPage> lost(Hour from, Hour to) {
    return pages().lost(from, to);
  }

  /** Returns the listed files, the oldest first. */
  public List<FileUse> files() {
    return pages().files();
  }

  /** Returns the numbers of the listed files that have replaced bytes of an hour in any class. */
  public Set<Long> filesWithReplaced(Hour hour) {
    return pages().withReplaced(hour);
  }

  /** The newest log group of all listed pages; 0 if there are none. */
  public long newestGroup() {
    return pages().newestGroup();
  }

  public synchronized CatalogueRecord.Log log() {
    return listed.log();
  }

  /** Lists a page file durably, in place of the sections that it replaces. */
  synchronized void add(PageFileRecord file) throws IOException {
    append(List.of(file));
  }

  /** Returns the hours that were dropped. */
  public DroppedHours dropped() {
    return listed.dropped();
  }

  /** Records durably that answers lack pages, which the next page file takes out of use. */
  public synchronized void lost(List<LostPage> lost) throws IOException {
    append(List.copyOf(lost));
  }

  /** Records durably that answers do not lack these pages any more. */
  public synchronized void lossesEnded(List<LostPage> ended) throws IOException {
    append(
        ended.stream()
            .<CatalogueRecord>map(page -> new CatalogueRecord.LossEnded(page.of(), page.page()))
            .toList());
  }

  /** Removes hours durably. */
  public synchronized void gone(List<CatalogueRecord.Gone> gone) throws IOException {
    append(List.copyOf(gone));
  }

  /** Removes hours, and notes that hours were dropped, durably and at once. */
  public synchronized void dropped(DroppedHours hours, List<CatalogueRecord.Gone> gone)
      throws IOException {
    List<CatalogueRecord> records = new ArrayList<>(gone);
    if (!hours.isWithin(listed.dropped())) {
      CatalogueRecord.of(hours).forEach(records::add);
    }
    append(records);
  }

  /** Records the new begin of the log durably; the log may be cut next. */
  public synchronized void cutting(CatalogueRecord.Log from) throws IOException {
    if (!from.equals(listed.log())) {
      append(List.of(from));
    }
  }

  /** Appends all records or none; they are durable on return. */
  private void append(List<CatalogueRecord> records) throws IOException {
    if (records.isEmpty()) {
      return;
    }
    forceName();
    isDoubtful = true;
    durableBytes =
        FrameWriter.append(
            disk,
            files.catalogue(),
            staging,
            durableBytes,
            nextGroup,
            out -> {
              for (CatalogueRecord record : records) {
                record.writeTo(out);
              }
            });
    isDoubtful = false;
    nextGroup++;
    records.forEach(listed::take);
    listed.endRecords();
    long leastBytes = Math.max(newBytes, ENTRY_BYTES * listed.entries());
    if (durableBytes > BYTES_MIN && durableBytes > GROWTH_MAX * leastBytes) {
      tryWritingNew();
    }
  }

  /**
   * Makes the file durable as it is known, without records whose append failed. Before that, a
   * crash could bring such records to life, or take those that a killed process had written; so no
   * file may be deleted.
   */
  synchronized void settle() throws IOException {
    if (isDoubtful) {
      try (Disk.AppendFile file = disk.append(files.catalogue())) {
        if (file.size() > durableBytes) {
          file.truncate(durableBytes);
        }
        file.force();
      }
      forceName();
      isDoubtful = false;
    }
  }

  /** Rewrites the file. A failure is only logged, since appended records are durable already. */
  private void tryWritingNew() {
    try {
      writeNew();
      install();
    } catch (IOException e) {
      logger.warn(
          "{}: {} bytes, cannot be written anew, tried again later: {}",
          files.catalogue(),
          durableBytes,
          e.toString());
      removeNew();
    }
  }

  /** Removes a new file that is not in place: later it would be an old catalogue. */
  private void removeNew() {
    try {
      disk.delete(files.newCatalogue());
    } catch (IOException e) {
      logger.warn("{}: cannot be removed: {}", files.newCatalogue(), e.toString());
    }
  }

  /** Takes page files and a log for all there is, in a directory without a catalogue. */
  public synchronized void takeAll(List<PageFileRecord> found, long segment) {
    found.forEach(listed::take);
    listed.take(new CatalogueRecord.Log(segment, 0, 0));
    var unused = pages().takeUnlisted(); // these files stay, since the catalogue had more to say
  }

  /** Returns all that is listed now. */
  public synchronized CatalogueContent content() {
    return listed.content();
  }

  /** Writes a new file, which {@link #install} moves into place. */
  public synchronized void writeNew() throws IOException {
    disk.delete(files.newCatalogue());
    newBytes = content().write(disk, files.newCatalogue(), staging, number + 1);
    disk.forceDirectory(files.dir());
  }

  public synchronized void install() throws IOException {
    disk.move(files.newCatalogue(), files.catalogue());
    number++;
    nextGroup = 2; // the new file contains one group
    durableBytes = newBytes;
    isDoubtful = false;
    nameIsForced = false;
    forceName();
  }

  /** Makes the file's name durable. Until then, a power cut could restore the old file. */
  private void forceName() throws IOException {
    if (!nameIsForced) {
      disk.forceDirectory(files.dir());
      nameIsForced = true;
    }
  }
}
