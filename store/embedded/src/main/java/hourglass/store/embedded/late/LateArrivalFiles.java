package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.pages.NamesCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of late arrivals whose log segments were deleted. One thread at a time writes and
 * deletes the files. The owner guards their list.
 */
final class LateArrivalFiles implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalFiles.class);

  private static final String GIVE_UP =
      "give up which events came late: remove the whole folder, and start with "
          + MissingParts.setting(List.of("arrivals"));

  /**
   * The size at which a file ends. Files are deleted whole, and a reader that continues in the
   * middle of one reads all of it.
   */
  private static final long FILE_BYTES = 4 << 20;

  private final Disk disk;
  private final StoreFiles files;
  private final CatalogueRecord.Log listed;
  private final NavigableMap<Long, LateArrivalFile> known = new TreeMap<>();

  private LateArrivalPlace oldest = LateArrivalPlace.START;

  private final ByteBuffer staging;
  private final NamesCodec codec;

  /** The writer of the newest file; null before the first file, and after a failure. */
  private @Nullable FrameWriter writer;

  /**
   * The number of the newest file; its length is next. A file of an earlier process is never
   * continued.
   */
  private long newest;

  private long newestBytes;

  /** Loads the files. Throws CorruptException if one is missing or damaged. */
  LateArrivalFiles(Disk disk, StoreFiles files, CatalogueRecord.Log listed, MissingParts missing)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.listed = listed;
    if (!FileKind.FOLDER.isAt(files.lateArrivals())) {
      disk.createDirectories(files.lateArrivals());
    }
    Watermark end = Watermark.read(files.lateArrivalsEnd());
    Watermark catalogued = new Watermark(listed.notesFile(), listed.notesBytes());
    List<Long> numbers = StoreFiles.numbers(files.lateArrivals(), StoreFiles.LATE_ARRIVALS_SUFFIX);
    if (numbers.isEmpty() && missing.accepts("arrivals")) {
      logger.warn("{}: no late arrivals, as {} allows", files.lateArrivals(), MissingParts.KEY);
      disk.delete(files.lateArrivalsEnd());
    } else {
      refuseMissing(numbers, end, files.lateArrivalsEnd());
      if (catalogued.last() > 0) {
        refuseMissing(numbers, catalogued, files.catalogue());
      }
    }
    for (long number : numbers) {
      long bytes = load(number, numbers.contains(number + 1));
      LateArrivalFile loaded = known.get(number);
      if (loaded == null || !loaded.isRewritten()) {
        refuseShorter(number, bytes, end, files.lateArrivalsEnd());
        refuseShorter(number, bytes, catalogued, files.catalogue());
      }
    }
    if (!known.isEmpty() && numbers.get(0) != 1) {
      oldest = known.firstEntry().getValue().first();
    }
    deleteEmpty(numbers);
    deleteUnfinished();
    newest = listed.notesFile();
    if (!known.isEmpty()) {
      newest = known.lastKey();
      newestBytes = known.lastEntry().getValue().bytes();
      try (Disk.AppendFile file = disk.append(files.lateArrivals(newest))) {
        file.force(); // for writes of a killed process; the next file will state this length
      }
    }
    this.staging = FrameWriter.staging();
    this.codec = new NamesCodec(); // last, as it owns native memory until it is closed
  }

  /**
   * Deletes the newest files if they have no record. A kill leaves such files, and the log still
   * contains their records. Otherwise, retention could delete files after them and leave a hole in
   * the numbers.
   */
  private void deleteEmpty(List<Long> numbers) throws IOException {
    for (int i = numbers.size() - 1; i >= 0 && !known.containsKey(numbers.get(i)); i--) {
      disk.delete(files.lateArrivals(numbers.get(i)));
      disk.forceDirectory(files.lateArrivals());
    }
  }

  /**
   * Whether all files were given up. If so, a reader that continues before the place may miss
   * records.
   */
  boolean givenUpBefore(LateArrivalPlace place) {
    boolean givenUp = known.isEmpty() && listed.notesFile() > 0;
    if (givenUp) {
      oldest = place;
    }
    return givenUp;
  }

  /**
   * Loads a file, and returns its valid length: as the next file states it, or up to the last whole
   * group.
   */
  private long load(long number, boolean hasNext) throws IOException {
    FramePreamble next =
        hasNext
            ? FrameReader.preamble(files.lateArrivals(number + 1), FramePreamble.LATE_ARRIVALS)
            : null;
    long bytes = next == null ? -1 : next.previousEnd();
    LateArrivalFile file = LateArrivalFile.load(files.lateArrivals(number), number, bytes, last());
    if (file == null) {
      return 0;
    }
    known.put(number, file);
    return file.bytes();
  }

  /**
   * Refuses a file that ends before its recorded length. Bytes after that may be lost, since the
   * log still contains their records.
   */
  private void refuseShorter(long number, long bytes, @Nullable Watermark end, Path source) {
    if (end != null && end.first() == number && bytes < end.last()) {
      throw new CorruptException(
          "%s: ends at offset %s of %s, by %s; restore the file, or %s"
              .formatted(files.lateArrivals(number), bytes, end.last(), source, GIVE_UP));
    }
  }

  private void refuseMissing(List<Long> numbers, @Nullable Watermark end, Path source) {
    if (numbers.isEmpty() && (end == null || end.first() == 0)) {
      return;
    }
    long last = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
    last = end == null ? last : Math.max(last, end.first());
    for (long number = numbers.isEmpty() ? last : numbers.get(0); number <= last; number++) {
      if (!numbers.contains(number)) {
        throw new CorruptException(
            "%s: missing, and there by %s; restore it, or %s"
                .formatted(files.lateArrivals(number), source, GIVE_UP));
      }
    }
  }

  /**
   * Returns the newest file for the catalogue; a length of 0 means that all files were given up.
   */
  CatalogueRecord.Log listed(long segment) {
    Map.Entry<Long, LateArrivalFile> last = known.lastEntry();
    return last == null
        ? new CatalogueRecord.Log(segment, listed.notesFile(), 0)
        : new CatalogueRecord.Log(segment, last.getKey(), last.getValue().bytes());
  }

  LateArrivalPlace last() {
    return known.isEmpty() ? LateArrivalPlace.START : known.lastEntry().getValue().last();
  }

  /** The place before which a reader may have missed records. */
  LateArrivalPlace oldest() {
    return oldest;
  }

  List<LateArrivalFile> after(LateArrivalPlace place) {
    return known.values().stream().filter(file -> file.last().compareTo(place) > 0).toList();
  }

  long bytes() {
    return known.values().stream().mapToLong(LateArrivalFile::bytes).sum();
  }

  /** Returns the files up to the newest that has records, and their valid lengths. */
  Map<Path, Long> lengths() throws IOException {
    Map<Path, Long> lengths = new TreeMap<>();
    for (long number : StoreFiles.numbers(files.lateArrivals(), StoreFiles.LATE_ARRIVALS_SUFFIX)) {
      LateArrivalFile file = known.get(number);
      if (file != null) {
        lengths.put(files.lateArrivals(number), file.bytes());
      } else if (!known.isEmpty() && number < known.lastKey()) { // numbers have no gaps
        lengths.put(files.lateArrivals(number), Files.size(files.lateArrivals(number)));
      }
    }
    return lengths;
  }

  boolean has(String path) {
    return known.keySet().stream().anyMatch(n -> files.lateArrivals(n).toString().equals(path));
  }

  /**
   * Appends all records or none; they are durable on return. Needs no guard.
   *
   * @return the part of the file with the records, for {@link #add}
   */
  LateArrivalFile append(List<LateArrival> records, long millis) throws IOException {
    FrameWriter before = writer;
    FrameWriter out = before == null || before.size() >= FILE_BYTES ? begin() : before;
    try {
      out.putLong(millis);
      for (LateArrival each : records) {
        LateArrivalFile.write(out, each, codec);
      }
      out.endGroup();
      newestBytes = out.durableSize();
    } catch (IOException | RuntimeException e) {
      closeWriter();
      throw e;
    }
    try {
      new Watermark(newest, newestBytes).write(disk, files.lateArrivalsEnd());
    } catch (IOException e) { // a later loss is then not noticed
      logger.warn("{}: cannot be written: {}", files.lateArrivalsEnd(), e.toString());
    }
    LateArrivalPlace first = records.get(0).place();
    LateArrivalPlace last = records.get(records.size() - 1).place();
    return new LateArrivalFile(newest, first, last, newestBytes, millis, false);
  }

  /**
   * Cuts the ends of files that do not count: groups whose force failed, and what a kill left.
   * Their records are in a later file, or in the log. Needs no guard.
   */
  void cutUncounted() throws IOException {
    for (long number : StoreFiles.numbers(files.lateArrivals(), StoreFiles.LATE_ARRIVALS_SUFFIX)) {
      LateArrivalFile file = known.get(number);
      long counted = file == null ? FramePreamble.BYTES : file.bytes();
      Path path = files.lateArrivals(number);
      boolean isWritten = number == newest && writer != null;
      if (!isWritten && Files.size(path) > counted) {
        try (Disk.AppendFile cut = disk.append(path)) {
          cut.truncate(counted);
          cut.force();
        }
      }
    }
  }

  /** Returns a file by its number; null if there is none. */
  @Nullable LateArrivalFile file(long number) {
    return known.get(number);
  }

  /** Deletes what failed attempts of {@link #rewrite} left. Needs no guard. */
  void deleteUnfinished() throws IOException {
    StoreFiles.deleteUnfinished(disk, files.lateArrivals(), StoreFiles.LATE_ARRIVALS_SUFFIX);
  }

  /**
   * Writes a file with other names, which {@link #replace} gives its name; null if nothing changes.
   * Needs no guard.
   */
  @Nullable LateArrivalFile rewrite(
      LateArrivalFile file, BiFunction<RowKey, Columns, Columns> change) throws IOException {
    Path path = files.lateArrivals(file.number());
    if (!file.isChanged(path, change)) {
      return null;
    }
    closeWriter(); // it has the same buffer; the next records go to another file
    return file.rewrite(path, disk, StoreFiles.unfinished(path), staging, codec, change);
  }

  /** Puts a rewritten file in the place of the one before; durable once the folder is forced. */
  void replace(LateArrivalFile made) throws IOException {
    Path path = files.lateArrivals(made.number());
    disk.move(StoreFiles.unfinished(path), path);
    known.put(made.number(), made);
    if (made.number() == newest) {
      newestBytes = made.bytes();
    }
  }

  private FrameWriter begin() throws IOException {
    closeWriter();
    long next = newest + 1;
    disk.delete(files.lateArrivals(next)); // left by a failed attempt
    Disk.AppendFile file = disk.create(files.lateArrivals(next));
    try {
      FramePreamble preamble = new FramePreamble(FramePreamble.LATE_ARRIVALS, next, 1, newestBytes);
      FrameWriter begun = FrameWriter.begin(file, staging, preamble);
      begun.force();
      disk.forceDirectory(files.lateArrivals());
      writer = begun;
      newest = next;
      newestBytes = 0;
      return begun;
    } catch (IOException e) {
      QuietClose.quietly(file);
      throw e;
    }
  }

  private void closeWriter() {
    if (writer != null) {
      QuietClose.quietly(writer);
      writer = null;
    }
  }

  void add(LateArrivalFile part) {
    known.merge(part.number(), part, LateArrivalFile::grown);
  }

  /**
   * Removes the oldest file from the list if it is too old, or all files together are too long. The
   * caller deletes it; null if none is due. The newest file stays, so that numbers never repeat.
   */
  @Nullable Path takeDue(long fromMillis, long bytesMax) {
    if (known.size() < 2) {
      return null;
    }
    LateArrivalFile first = known.firstEntry().getValue();
    if (first.millis() >= fromMillis && bytes() <= bytesMax) {
      return null;
    }
    known.remove(first.number());
    oldest = first.last();
    return files.lateArrivals(first.number());
  }

  @Override
  public void close() {
    closeWriter();
    codec.close();
  }
}
