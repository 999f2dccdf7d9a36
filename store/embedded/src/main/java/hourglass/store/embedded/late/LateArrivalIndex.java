package hourglass.store.embedded.late;

import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.pages.CatalogueRecord;
import hourglass.store.embedded.pages.MissingParts;
import hourglass.store.embedded.rows.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of late arrivals. They are in the commit log and in memory while their segments
 * exist, then in files of their own. Thread-safe: the log's thread adds, another moves and deletes,
 * many read.
 */
public final class LateArrivalIndex implements Closeable {
  /** A record that is in no file yet, and the memory it uses without shared columns. */
  private record Open(LateArrival note, long segment, long bytes) {}

  private static final long NOTE_BYTES = 200;

  private static final long NAME_BYTES = 20;

  /** Smaller runs are merged in memory, so that only the record would keep their arrays. */
  private static final int SHARED_MIN = 512;

  private final Disk disk;
  private final StoreFiles files;
  private final MemoryBudget budget;
  private final SettleClock settling;

  // Guarded by this.
  private final Deque<Open> open = new ArrayDeque<>();
  private final LateArrivalFiles closed;
  private LateArrivalPlace settledEnd;

  public LateArrivalIndex(
      Disk disk,
      StoreFiles files,
      MemoryBudget budget,
      SettleClock settling,
      CatalogueRecord.Log listed,
      MissingParts missing)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.budget = budget;
    this.settling = settling;
    this.closed = new LateArrivalFiles(disk, files, listed, missing);
    this.settledEnd = closed.last();
  }

  /** Restores a record from the log, unless it is in a file. */
  public synchronized void replayed(LateArrival note, long segment) {
    if (note.place().compareTo(settledEnd) > 0) {
      budget.take(add(note, segment));
      settledEnd = note.place();
    }
  }

  /**
   * Adds durable records, before their columns become visible.
   *
   * @param reservedBytes {@link #bytesAtMost} of each mutation of the group; memory that the
   *     records do not use is released
   */
  public synchronized void add(List<LateArrival> notes, long segment, long reservedBytes) {
    long taken = 0;
    for (LateArrival note : notes) {
      taken += add(note, segment);
    }
    budget.release(reservedBytes - taken);
  }

  private long add(LateArrival note, long segment) {
    Columns names = note.names();
    boolean small = names.size() < SHARED_MIN;
    LateArrival kept = small ? new LateArrival(note.place(), note.row(), names.compact()) : note;
    long bytes = NOTE_BYTES + (small ? namesBytes(names.size()) : 0);
    open.addLast(new Open(kept, segment, bytes));
    return bytes;
  }

  private static long namesBytes(int names) {
    return NAME_BYTES * names;
  }

  /** The most memory that a mutation's records can use, if all of its columns are late. */
  public static long bytesAtMost(Mutation mutation) {
    int columns = mutation.columns().size();
    int notes = 1 + columns / LateArrival.NAMES_MAX; // the last one may be small
    return NOTE_BYTES * notes + namesBytes(Math.min(columns, SHARED_MIN - 1));
  }

  /** Settles all added records, once their columns are visible. */
  public synchronized void settle() {
    if (!open.isEmpty()) {
      settledEnd = open.getLast().note().place();
    }
  }

  /** As {@link hourglass.store.WideColumnStore#lateArrivals}. */
  public LateArrivals after(LateArrivalPlace after, int namesMax) {
    while (true) {
      try {
        return read(after, namesMax);
      } catch (NoSuchFileException e) {
        if (isThere(e.getFile())) {
          throw new UnavailableException(e.getFile() + ": is missing; restore it", e);
        }
      } catch (IOException e) {
        throw new UnavailableException(files.arrivals() + ": cannot be read: " + e, e);
      }
    }
  }

  private synchronized boolean isThere(String path) {
    return closed.has(path);
  }

  private LateArrivals read(LateArrivalPlace after, int namesMax) throws IOException {
    List<LateArrivalFile> inFiles;
    List<LateArrival> inMemory;
    LateArrivalPlace end;
    LateArrivalPlace from;
    boolean forgotten;
    long settledTicks;
    settling.beforeTelling();
    synchronized (this) {
      settledTicks = settling.tellTicks();
      end = settledEnd;
      if (after.equals(LateArrivalPlace.NEWEST)) {
        return new LateArrivals(List.of(), end, List.of(), false, false, settledTicks);
      }
      // A place in the future belongs to another store.
      forgotten = after.compareTo(closed.oldest()) < 0 || after.compareTo(end) > 0;
      from = forgotten ? LateArrivalPlace.START : after;
      inFiles = closed.behind(from);
      inMemory = openAfter(from);
    }
    LateArrivalPage taken = new LateArrivalPage(end, namesMax);
    for (LateArrivalFile file : inFiles) {
      if (!taken.isFull()) {
        file.read(files.arrivals(file.number()), from, taken);
      }
    }
    inMemory.forEach(taken::test);
    return taken.answer(forgotten, settledTicks, lastOf(inFiles, inMemory));
  }

  /** The last place of these records; the start if there are none. */
  private static LateArrivalPlace lastOf(
      List<LateArrivalFile> inFiles, List<LateArrival> inMemory) {
    if (!inMemory.isEmpty()) {
      return inMemory.get(inMemory.size() - 1).place();
    }
    return inFiles.isEmpty() ? LateArrivalPlace.START : inFiles.get(inFiles.size() - 1).last();
  }

  private List<LateArrival> openAfter(LateArrivalPlace after) {
    List<LateArrival> notes = new ArrayList<>();
    Iterator<Open> newestFirst = open.descendingIterator();
    while (newestFirst.hasNext()) {
      LateArrival note = newestFirst.next().note();
      if (note.place().compareTo(after) <= 0) {
        break;
      }
      notes.add(note);
    }
    Collections.reverse(notes);
    return notes;
  }

  /** Moves the records of log segments up to one into files; durable on return. */
  public void flush(long segment, long nowMillis) throws IOException {
    List<LateArrival> due;
    synchronized (this) {
      due = open.stream().takeWhile(o -> o.segment() <= segment).map(Open::note).toList();
    }
    if (due.isEmpty()) {
      return;
    }
    LateArrivalFile part = closed.append(due, nowMillis);
    synchronized (this) {
      closed.add(part);
      for (int i = 0; i < due.size(); i++) {
        budget.release(open.removeFirst().bytes());
      }
    }
  }

  /**
   * The newest file's number and length, for the catalogue.
   *
   * @param segment the first segment that the log must still have
   */
  public synchronized CatalogueRecord.Log listed(long segment) {
    return closed.listed(segment);
  }

  /**
   * Refuses files that are newer than the log, because the log would assign their group numbers
   * again.
   *
   * @param nextGroup the next group of the log
   */
  public synchronized void refuseOlderLog(long nextGroup) {
    if (closed.last().high() >= nextGroup) {
      throw new CorruptException(
          files.arrivals()
              + ": has notes of group "
              + closed.last().high()
              + ", and the log ends before group "
              + nextGroup
              + ": they are not of one moment, as in a copy that was made while a process wrote;"
              + " restore all of one moment");
    }
  }

  /**
   * If all files were given up, reports lost records to readers before the log's oldest record, or
   * before its end.
   *
   * @param nextGroup the next group of the log
   */
  public synchronized void forgetGivenUp(long nextGroup) {
    LateArrivalPlace logEnd = new LateArrivalPlace(nextGroup - 1, Integer.MAX_VALUE);
    if (open.isEmpty() && closed.givenUpBefore(logEnd)) {
      settledEnd = logEnd;
    } else if (!open.isEmpty()) {
      closed.givenUpBefore(open.getFirst().note().place());
    }
  }

  /** The total length of the files. */
  public synchronized long diskBytes() {
    return closed.bytes();
  }

  /**
   * Deletes the oldest files while they are older than a time, or the files are longer than a
   * limit.
   */
  public void retain(long fromMillis, long bytesMax) throws IOException {
    for (Path due = takeDue(fromMillis, bytesMax);
        due != null;
        due = takeDue(fromMillis, bytesMax)) {
      disk.delete(due);
      disk.forceDirectory(files.arrivals());
    }
  }

  private synchronized @Nullable Path takeDue(long fromMillis, long bytesMax) {
    return closed.takeDue(fromMillis, bytesMax);
  }

  @Override
  public void close() {
    closed.close();
  }
}
