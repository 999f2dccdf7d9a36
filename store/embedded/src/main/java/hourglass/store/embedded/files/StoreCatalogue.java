package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of files that must exist: the inventory and maps of each hour, the first log segment,
 * and the late arrival files. It is forced after the files that it lists, and before the log is cut
 * or a file is deleted. So a listed file is missing only if someone else removed it. Thread-safe.
 * See docs/data-directory.md.
 */
public final class StoreCatalogue {
  private static final Logger logger = LoggerFactory.getLogger(StoreCatalogue.class);

  /** The size above which a file is rewritten, if it is several times as long as its content. */
  private static final long BYTES_MIN = 1 << 20;

  private static final int GROWTH_MAX = 4;

  private static final long ENTRY_BYTES = 64;

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;

  /**
   * The listed hours by key. The map is changed under the lock, but read without it, since a force
   * holds the lock.
   */
  private final ConcurrentSkipListMap<String, HourFiles> hours = new ConcurrentSkipListMap<>();

  // The fields from here on are guarded by this.
  private final Map<String, HourFiles> staged = new LinkedHashMap<>();
  private CatalogueRecord.Log log = new CatalogueRecord.Log(0, 0, 0);
  private long number = 1;
  private long nextGroup = 1;
  private long durableBytes;

  /** The length of the file at the last rewrite; 0 if there was none. */
  private long newBytes;

  /** Whether the file's name is known to be durable; after a load, it is not. */
  private boolean nameIsForced;

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
    return new CorruptException(
        "%s: %s; restore it, or take what is there for all there is: %s"
            .formatted(
                files.catalogue(), what, MissingParts.setting(List.of(StoreFiles.CATALOGUE))));
  }

  private synchronized void replay(FrameReader reader) throws IOException {
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        CatalogueRecord.replay(group, this::take);
      } catch (RuntimeException e) {
        throw damaged(files, "before offset " + reader.goodEnd() + ": " + e);
      }
    }
    number = reader.preamble().number();
    nextGroup = reader.nextGroup();
    durableBytes = reader.goodEnd();
  }

  private void take(CatalogueRecord record) {
    if (record instanceof HourFiles listed) {
      hours.put(listed.key(), listed);
    } else if (record instanceof CatalogueRecord.Gone gone) {
      hours.remove(HourFiles.key(gone.retentionClass(), gone.hour()));
    } else if (record instanceof CatalogueRecord.Log newest) {
      log = newest;
    }
  }

  public synchronized List<HourFiles> hours() {
    return List.copyOf(hours.values());
  }

  public synchronized CatalogueRecord.Log log() {
    return log;
  }

  public long groups(String retentionClass, Hour hour) {
    HourFiles listed = hours.get(HourFiles.key(retentionClass, hour));
    return listed == null ? 0 : listed.groups();
  }

  /** Includes an hour from the next {@link #force} on. */
  public synchronized void listed(HourFiles hourFiles) {
    staged.put(hourFiles.key(), hourFiles);
  }

  public synchronized void force() throws IOException {
    append(List.of());
  }

  /** Removes an hour durably; its folder may be deleted next. */
  public synchronized void gone(String retentionClass, Hour hour) throws IOException {
    String key = HourFiles.key(retentionClass, hour);
    staged.remove(key);
    if (hours.containsKey(key)) {
      append(List.of(new CatalogueRecord.Gone(retentionClass, hour)));
    }
  }

  /** Records the new begin of the log durably; the log may be cut next. */
  public synchronized void cutting(CatalogueRecord.Log from) throws IOException {
    append(List.of(from));
  }

  /** Appends all staged records or none; they are durable on return. */
  private void append(List<CatalogueRecord> more) throws IOException {
    List<CatalogueRecord> records = new ArrayList<>();
    for (HourFiles hourFiles : staged.values()) {
      if (!hourFiles.equals(hours.get(hourFiles.key()))) {
        records.add(hourFiles);
      }
    }
    more.stream().filter(record -> !record.equals(log)).forEach(records::add);
    if (!records.isEmpty()) {
      forceName();
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
      nextGroup++;
      records.forEach(this::take);
    }
    staged.clear();
    long leastBytes = Math.max(newBytes, ENTRY_BYTES * hours.size());
    if (durableBytes > BYTES_MIN && durableBytes > GROWTH_MAX * leastBytes) {
      tryWritingNew();
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
    }
  }

  /** Lists the staged hours, in a directory without a catalogue. */
  public synchronized void takeAll(long segment) {
    hours.putAll(staged);
    staged.clear();
    log = new CatalogueRecord.Log(segment, 0, 0);
  }

  /** Writes a new file, which {@link #install} moves into place. */
  public synchronized void writeNew() throws IOException {
    disk.delete(files.newCatalogue());
    Disk.AppendFile file = disk.create(files.newCatalogue());
    try {
      FrameWriter writer =
          FrameWriter.begin(
              file, staging, new FramePreamble(FramePreamble.CATALOGUE, number + 1, 1, 0));
      log.writeTo(writer);
      for (HourFiles hourFiles : hours.values()) {
        hourFiles.writeTo(writer);
      }
      writer.endGroup();
      newBytes = writer.durableSize();
    } finally {
      QuietClose.quietly(file);
    }
    disk.forceDirectory(files.dir());
  }

  public synchronized void install() throws IOException {
    disk.move(files.newCatalogue(), files.catalogue());
    number++;
    nextGroup = 2; // the new file contains one group
    durableBytes = newBytes;
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
