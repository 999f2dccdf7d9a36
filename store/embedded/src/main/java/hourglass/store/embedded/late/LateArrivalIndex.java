package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.memory.MemoryBudget;
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
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The records of late arrivals. They are in the log and in memory while their log segments exist,
 * and then in files. Thread-safe: the log's thread adds, another moves and deletes, many read.
 */
public final class LateArrivalIndex implements Closeable {
  /** A record that is in no file yet, and the memory that it uses besides shared columns. */
  private record Open(LateArrival late, long segment, long bytes) {}

  private static final long RECORD_BYTES = 200;
  private static final long NAME_BYTES = 20;

  /**
   * The least number of names that share the arrays of a run. Smaller runs are merged in memory,
   * and then only the record would keep their arrays.
   */
  private static final int SHARED_MIN = 512;

  private final Disk disk;
  private final StoreFiles files;
  private final MemoryBudget budget;
  private final SettleClock settleClock;

  // The fields from here on are guarded by this.
  private final Deque<Open> open = new ArrayDeque<>();
  private final LateArrivalFiles closed;
  private LateArrivalPlace settledEnd;

  /** How many files were rewritten; one that is read meanwhile is read again. */
  private long rewrites;

  public LateArrivalIndex(
      Disk disk,
      StoreFiles files,
      MemoryBudget budget,
      SettleClock settleClock,
      CatalogueRecord.Log listed,
      MissingParts missing)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.budget = budget;
    this.settleClock = settleClock;
    this.closed = new LateArrivalFiles(disk, files, listed, missing);
    this.settledEnd = closed.last();
  }

  public synchronized void replayed(LateArrival late, long segment) {
    if (late.place().compareTo(settledEnd) > 0) {
      budget.take(add(late, segment));
      settledEnd = late.place();
    }
  }

  /**
   * Adds durable records, before their columns become visible.
   *
   * @param reservedBytes the sum of {@link #bytesAtMost} for the group's mutations; the rest is
   *     released
   */
  public synchronized void add(List<LateArrival> records, long segment, long reservedBytes) {
    long taken = 0;
    for (LateArrival late : records) {
      taken += add(late, segment);
    }
    budget.release(reservedBytes - taken);
  }

  private long add(LateArrival late, long segment) {
    Columns names = late.names();
    boolean small = names.size() < SHARED_MIN;
    LateArrival kept = small ? new LateArrival(late.place(), late.row(), names.compact()) : late;
    long bytes = RECORD_BYTES + (small ? NAME_BYTES * names.size() : 0);
    open.addLast(new Open(kept, segment, bytes));
    return bytes;
  }

  /** The memory of a mutation's records if all of its columns are late. */
  public static long bytesAtMost(Mutation mutation) {
    int columns = mutation.columns().size();
    int records = 1 + columns / LateArrival.NAMES_MAX; // the last one may be small
    return RECORD_BYTES * records + NAME_BYTES * Math.min(columns, SHARED_MIN - 1);
  }

  /** Settles all added records. Their columns must be visible. */
  public synchronized void settle() {
    if (!open.isEmpty()) {
      settledEnd = open.getLast().late().place();
    }
  }

  public LateArrivals after(LateArrivalPlace after, int namesMax) {
    while (true) {
      long rewritesBefore = rewrites();
      try {
        return read(after, namesMax);
      } catch (CorruptException e) {
        if (rewritesBefore == rewrites()) {
          throw e;
        }
      } catch (NoSuchFileException e) {
        synchronized (this) {
          if (closed.has(e.getFile())) { // otherwise retention deleted it meanwhile
            throw new UnavailableException(e.getFile() + ": is missing; restore it", e);
          }
        }
      } catch (IOException e) {
        throw new UnavailableException(
            files.lateArrivals() + ": cannot be read: " + FileProblem.of(e), e);
      }
    }
  }

  private LateArrivals read(LateArrivalPlace after, int namesMax) throws IOException {
    List<LateArrivalFile> inFiles;
    List<LateArrival> inMemory;
    LateArrivalPlace end;
    LateArrivalPlace from;
    boolean forgotten;
    long settledTicks;
    settleClock.beforePublish();
    synchronized (this) {
      settledTicks = settleClock.publish();
      end = settledEnd;
      if (after.equals(LateArrivalPlace.NEWEST)) {
        return new LateArrivals(List.of(), end, List.of(), false, false, settledTicks);
      }
      // A place in the future belongs to another store.
      forgotten = after.compareTo(closed.oldest()) < 0 || after.compareTo(end) > 0;
      from = forgotten ? LateArrivalPlace.START : after;
      inFiles = closed.after(from);
      inMemory = openAfter(from);
    }
    Answer answer = new Answer(end, namesMax);
    for (LateArrivalFile file : inFiles) {
      if (answer.isFull()) {
        answer.isMore = true;
        break;
      }
      file.read(files.lateArrivals(file.number()), from, answer::add);
    }
    inMemory.forEach(answer::add);
    return answer.build(forgotten, settledTicks);
  }

  private List<LateArrival> openAfter(LateArrivalPlace after) {
    List<LateArrival> records = new ArrayList<>();
    Iterator<Open> newestFirst = open.descendingIterator();
    while (newestFirst.hasNext()) {
      LateArrival late = newestFirst.next().late();
      if (late.place().compareTo(after) <= 0) {
        break;
      }
      records.add(late);
    }
    Collections.reverse(records);
    return records;
  }

  /** Moves the records up to and including a log segment into files; they are durable on return. */
  public void flush(long segment, long nowMillis) throws IOException {
    List<LateArrival> due;
    synchronized (this) {
      due = open.stream().takeWhile(o -> o.segment() <= segment).map(Open::late).toList();
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

  private synchronized long rewrites() {
    return rewrites;
  }

  /** Begins to change names with {@link #change}, and returns the numbers of the files. */
  public List<Long> beginChanges() throws IOException {
    closed.deleteUnfinished(); // they may have names of other events
    closed.cutUncounted(); // as may these
    synchronized (this) {
      return closed.after(LateArrivalPlace.START).stream().map(LateArrivalFile::number).toList();
    }
  }

  /**
   * Changes the names of a file, if it is still there; that is durable on return. Records that are
   * in no file yet stay. Runs on the thread that flushes.
   *
   * @param change returns as many names in place of those of a row; the same object if they stay
   */
  public void change(long number, BiFunction<RowKey, Columns, Columns> change) throws IOException {
    LateArrivalFile file;
    synchronized (this) {
      file = closed.file(number);
    }
    LateArrivalFile made = file == null ? null : closed.rewrite(file, change);
    if (made != null) {
      synchronized (this) {
        closed.replace(made);
        rewrites++;
      }
    }
    disk.forceDirectory(files.lateArrivals()); // perhaps of an attempt whose force failed
  }

  public synchronized CatalogueRecord.Log listed(long segment) {
    return closed.listed(segment);
  }

  /** Refuses files that are newer than the log, which would assign their group numbers again. */
  public synchronized void refuseOlderLog(long nextGroup) {
    if (closed.last().high() >= nextGroup) {
      throw new CorruptException(
          ("%s: has late arrivals of group %s, and the log ends before group %s: they are not of one"
                  + " moment, as in a copy that was made while a process wrote; restore all of one"
                  + " moment")
              .formatted(files.lateArrivals(), closed.last().high(), nextGroup));
    }
  }

  /**
   * Records, if all files were given up, that readers before the log's oldest record, or before its
   * end, missed records.
   */
  public synchronized void forgetGivenUp(long nextGroup) {
    LateArrivalPlace logEnd = new LateArrivalPlace(nextGroup - 1, Integer.MAX_VALUE);
    if (open.isEmpty() && closed.givenUpBefore(logEnd)) {
      settledEnd = logEnd;
    } else if (!open.isEmpty()) {
      closed.givenUpBefore(open.getFirst().late().place());
    }
  }

  /** Returns the files and their valid lengths; what follows there is in the log. */
  public synchronized Map<Path, Long> lengths() throws IOException {
    return closed.lengths();
  }

  public synchronized long diskBytes() {
    return closed.bytes();
  }

  /** Deletes the oldest file while it is too old, or all files together are too long. */
  public void retain(long fromMillis, long bytesMax) throws IOException {
    while (true) {
      Path due;
      synchronized (this) {
        due = closed.takeDue(fromMillis, bytesMax);
      }
      if (due == null) {
        return;
      }
      disk.delete(due);
      disk.forceDirectory(files.lateArrivals());
    }
  }

  @Override
  public void close() {
    closed.close();
  }

  private static final class Answer {
    private final LateArrivalPlace settledEnd;
    private final int namesMax;
    private final List<LateArrival> settled = new ArrayList<>();
    private final List<LateArrival> unsettled = new ArrayList<>();
    private int names;
    private boolean isMore;

    Answer(LateArrivalPlace settledEnd, int namesMax) {
      this.settledEnd = settledEnd;
      this.namesMax = namesMax;
    }

    boolean isFull() {
      return names >= namesMax;
    }

    /** Adds a record; false if the record is settled and the answer is full. */
    boolean add(LateArrival late) {
      if (late.place().compareTo(settledEnd) > 0) {
        unsettled.add(late);
        return true;
      }
      if (isFull()) {
        isMore = true;
        return false;
      }
      settled.add(late);
      names += late.names().size();
      return true;
    }

    LateArrivals build(boolean forgotten, long settledTicks) {
      return isMore
          ? new LateArrivals(
              settled,
              settled.get(settled.size() - 1).place(),
              List.of(),
              true,
              forgotten,
              settledTicks)
          : new LateArrivals(settled, settledEnd, unsettled, false, forgotten, settledTicks);
    }
  }
}
