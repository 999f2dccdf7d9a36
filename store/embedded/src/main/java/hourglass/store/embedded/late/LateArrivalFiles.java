package hourglass.store.embedded.late;

import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.pages.CatalogueRecord;
import hourglass.store.embedded.pages.MissingParts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The late arrivals of deleted log segments, in files. One thread at a time writes and deletes
 * them. The owner guards the list of files.
 */
final class LateArrivalFiles implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalFiles.class);

  private static final String GIVE_UP =
      "give up which events came late: remove the whole folder, and start with "
          + MissingParts.setting(List.of("arrivals"));

  private final StoreFiles files;
  private final CatalogueRecord.Log listed;
  private final NavigableMap<Long, LateArrivalFile> known = new TreeMap<>();
  private final LateArrivalWriter writer;

  /** No record after this place was deleted. */
  private LateArrivalPlace oldest = LateArrivalPlace.START;

  /**
   * Loads the files on disk.
   *
   * @throws CorruptException naming the file, the place and the remedy
   */
  LateArrivalFiles(Disk disk, StoreFiles files, CatalogueRecord.Log listed, MissingParts missing)
      throws IOException {
    this.files = files;
    this.listed = listed;
    if (!FileKind.FOLDER.isAt(files.arrivals())) {
      disk.createDirectories(files.arrivals());
    }
    Watermark end = Watermark.read(files.arrivalsEnd());
    Watermark catalogued = new Watermark(listed.notesFile(), listed.notesBytes());
    List<Long> numbers = numbers();
    boolean givenUp = numbers.isEmpty() && missing.accepts("arrivals");
    if (givenUp) {
      logger.warn("{}: no notes are there, as {} allows", files.arrivals(), MissingParts.KEY);
      disk.delete(files.arrivalsEnd());
    } else {
      refuseMissing(numbers, end, files.arrivalsEnd());
      if (catalogued.last() > 0) {
        refuseMissing(numbers, catalogued, files.catalogue());
      }
    }
    for (long number : numbers) {
      long bytes = load(number, numbers.contains(number + 1));
      refuseShorter(number, bytes, end, files.arrivalsEnd());
      refuseShorter(number, bytes, catalogued, files.catalogue());
    }
    if (!known.isEmpty() && numbers.get(0) != 1) {
      oldest = known.firstEntry().getValue().first();
    }
    deleteBegunInVain(disk, numbers);
    LateArrivalFile newest = known.isEmpty() ? null : known.lastEntry().getValue();
    if (newest != null) {
      try (Disk.AppendFile file = disk.append(files.arrivals(newest.number()))) {
        file.force(); // writes of a killed process; the next file will state this length
      }
    }
    this.writer =
        newest == null
            ? new LateArrivalWriter(disk, files, listed.notesFile(), 0)
            : new LateArrivalWriter(disk, files, newest.number(), newest.bytes());
  }

  /**
   * Deletes the newest files without a record, which a kill leaves. If they stayed, retention could
   * delete files behind them and leave a hole in the numbers. The log still holds their records.
   */
  private void deleteBegunInVain(Disk disk, List<Long> numbers) throws IOException {
    for (int i = numbers.size() - 1; i >= 0 && !known.containsKey(numbers.get(i)); i--) {
      disk.delete(files.arrivals(numbers.get(i)));
      disk.forceDirectory(files.arrivals());
    }
  }

  /**
   * If all files were given up, readers before a place may have missed late arrivals.
   *
   * @return whether the files were given up
   */
  boolean givenUpBefore(LateArrivalPlace place) {
    boolean givenUp = known.isEmpty() && listed.notesFile() > 0;
    if (givenUp) {
      oldest = place;
    }
    return givenUp;
  }

  /** Loads a file and returns its valid length: by the next file, or to the last whole group. */
  private long load(long number, boolean hasNext) throws IOException {
    FramePreamble next =
        hasNext ? FrameReader.preamble(files.arrivals(number + 1), FramePreamble.ARRIVALS) : null;
    long bytes = next == null ? -1 : next.previousEnd();
    LateArrivalFile file = LateArrivalFile.load(files.arrivals(number), number, bytes, last());
    if (file == null) {
      return 0;
    }
    known.put(number, file);
    return file.bytes();
  }

  /** Later bytes may be lost without harm, since the log still holds their records. */
  private void refuseShorter(long number, long bytes, @Nullable Watermark end, Path source) {
    if (end != null && end.first() == number && bytes < end.last()) {
      throw new CorruptException(
          files.arrivals(number)
              + ": ends at offset "
              + bytes
              + " of "
              + end.last()
              + ", by "
              + source
              + "; restore the file, or "
              + GIVE_UP);
    }
  }

  private void refuseMissing(List<Long> numbers, @Nullable Watermark end, Path source) {
    if (numbers.isEmpty() && (end == null || end.first() == 0)) {
      return;
    }
    long newest = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
    newest = end == null ? newest : Math.max(newest, end.first());
    long first = numbers.isEmpty() ? newest : numbers.get(0);
    for (long number = first; number <= newest; number++) {
      if (!numbers.contains(number)) {
        throw new CorruptException(
            files.arrivals(number)
                + ": missing, and there by "
                + source
                + "; restore it, or "
                + GIVE_UP);
      }
    }
  }

  private List<Long> numbers() throws IOException {
    try (Stream<Path> paths = Files.list(files.arrivals())) {
      return paths
          .filter(path -> path.toString().endsWith(StoreFiles.ARRIVALS_SUFFIX))
          .map(LateArrivalFiles::number)
          .sorted()
          .toList();
    }
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    try {
      return Long.parseLong(name.substring(0, name.length() - StoreFiles.ARRIVALS_SUFFIX.length()));
    } catch (NumberFormatException e) {
      throw new CorruptException(file + ": not a name of a file of notes; remove it", e);
    }
  }

  /** The newest file, for the catalogue. A length of 0 means that all files were given up. */
  CatalogueRecord.Log listed(long segment) {
    Map.Entry<Long, LateArrivalFile> newest = known.lastEntry();
    return newest == null
        ? new CatalogueRecord.Log(segment, listed.notesFile(), 0)
        : new CatalogueRecord.Log(segment, newest.getKey(), newest.getValue().bytes());
  }

  /** The place of the newest record; the start if there is none. */
  LateArrivalPlace last() {
    return known.isEmpty() ? LateArrivalPlace.START : known.lastEntry().getValue().last();
  }

  /** The place before which a reader may have missed records. */
  LateArrivalPlace oldest() {
    return oldest;
  }

  /** The files with records after a place. */
  List<LateArrivalFile> behind(LateArrivalPlace place) {
    return known.values().stream().filter(file -> file.last().compareTo(place) > 0).toList();
  }

  /** The total length of the files. */
  long bytes() {
    return known.values().stream().mapToLong(LateArrivalFile::bytes).sum();
  }

  /** Whether a path is a file that should exist. */
  boolean has(String path) {
    return known.keySet().stream().anyMatch(n -> files.arrivals(n).toString().equals(path));
  }

  /**
   * Appends records durably. Returns the part of the file that holds them, for {@link #add}. Needs
   * no guard.
   */
  LateArrivalFile append(List<LateArrival> notes, long millis) throws IOException {
    writer.append(notes, millis);
    LateArrivalPlace first = notes.get(0).place();
    LateArrivalPlace last = notes.get(notes.size() - 1).place();
    return new LateArrivalFile(writer.number(), first, last, writer.bytes(), millis);
  }

  void add(LateArrivalFile part) {
    known.merge(
        part.number(),
        part,
        (file, grown) ->
            LateArrivalFile.grown(
                file, grown.number(), grown.first(), grown.last(), grown.bytes(), grown.millis()));
  }

  /**
   * Removes and returns the oldest file if it is too old or the files are too long, for the caller
   * to delete. The newest file stays, so that numbers never repeat.
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
    return files.arrivals(first.number());
  }

  @Override
  public void close() {
    writer.close();
  }
}
