package hourglass.store.embedded.firsttimes;

import hourglass.store.FirstTimes;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * First times in memory; on disk they are in the log while its segments exist, then in files.
 * Thread-safe: many find, the log's thread adds, and the thread of pages moves and deletes.
 *
 * <p>Generations of a quarter of the window hold them. A generation is deleted a window after its
 * end, so a first time lives for one to one and a quarter windows. Only time counts in which the
 * store runs: a clock that is set forward would forget early.
 */
public final class FirstTimeIndex {
  private static final int GENERATIONS_A_WINDOW = 4;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;
  private final long windowMillis;
  private final int eventsMax;
  private final LongSupplier steadyMillis;

  /** Running time before this process, less the steady time of its begin. */
  private final long ranBeforeMillis;

  /** Oldest first, and at least one. */
  private final Deque<Generation> generations = new ArrayDeque<>();

  /** Stored, and perhaps in no file. */
  private final Deque<Logged> logged = new ArrayDeque<>();

  private record Logged(FirstTimes times, long segment) {}

  private record Event(long lsb, long more) {}

  private static final class Generation {
    private final long number;
    private final FirstTimeTable table = new FirstTimeTable();
    private final FirstTimeFile file;
    private long beganMillis;
    private long endedMillis;

    private Generation(StoreFiles files, long number, long beganMillis) {
      this.number = number;
      this.file = new FirstTimeFile(files.firstTimes(number), number);
      this.beganMillis = beganMillis;
      this.endedMillis = beganMillis;
    }

    private void load() throws IOException {
      file.load(
          (millis, times) -> {
            beganMillis = table.size() == 0 ? millis : beganMillis;
            endedMillis = millis;
            for (int i = 0; i < times.size(); i++) {
              int slot = table.put(times.lsb(i), times.more(i), times.ticks(i));
              table.setInFile(slot, true);
            }
          });
    }

    private long ticks(long lsb, long more) {
      return table.ticks(table.find(lsb, more));
    }

    private boolean isEmpty() {
      return table.size() == 0 && file.bytes() == 0;
    }
  }

  /**
   * Reads the files.
   *
   * @param staging of the thread of pages
   * @param window for which a first time is kept at least
   * @param eventsMax of all first times
   * @param steadyMillis never runs backwards
   */
  public FirstTimeIndex(
      Disk disk,
      StoreFiles files,
      ByteBuffer staging,
      Duration window,
      int eventsMax,
      LongSupplier steadyMillis)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.staging = staging;
    this.windowMillis = window.toMillis();
    this.eventsMax = eventsMax;
    this.steadyMillis = steadyMillis;
    long ranMillis = 0;
    if (FileKind.FOLDER.isAt(files.firstTimes())) {
      for (long number : StoreFiles.numbers(files.firstTimes(), StoreFiles.FIRST_TIMES_SUFFIX)) {
        Generation generation = new Generation(files, number, ranMillis);
        generation.load();
        ranMillis = Math.max(ranMillis, generation.endedMillis);
        generations.addLast(generation);
      }
    }
    if (generations.isEmpty()) {
      generations.addLast(new Generation(files, 1, 0));
    }
    this.ranBeforeMillis = ranMillis - steadyMillis.getAsLong();
  }

  private long runningMillis() {
    return ranBeforeMillis + steadyMillis.getAsLong();
  }

  /**
   * Returns the first times of events; those of new events are reserved.
   *
   * @throws OverloadedException if there is no room for the new ones, and none is reserved
   * @throws TooLargeException if there never is
   */
  public synchronized FirstTimes find(FirstTimes found) {
    refuseMoreThanFit(found);
    long[] ticks = new long[found.size()];
    for (int i = 0; i < ticks.length; i++) {
      Generation generation = holding(found.lsb(i), found.more(i));
      ticks[i] = found.ticks(i);
      if (generation == null) {
        generations.getLast().table.put(found.lsb(i), found.more(i), found.ticks(i));
      } else {
        ticks[i] = generation.ticks(found.lsb(i), found.more(i));
      }
    }
    return found.at(ticks);
  }

  private void refuseMoreThanFit(FirstTimes found) {
    int size = size();
    if (eventsMax - size >= found.size()) {
      return;
    }
    Set<Event> fresh = new HashSet<>();
    for (int i = 0; i < found.size(); i++) {
      if (holding(found.lsb(i), found.more(i)) == null) {
        fresh.add(new Event(found.lsb(i), found.more(i)));
      }
    }
    if (fresh.size() > eventsMax) {
      throw new TooLargeException(
          "%,d events without a time in one write never fit into untimed.events-max, %,d"
              .formatted(fresh.size(), eventsMax));
    }
    if (!fresh.isEmpty() && fresh.size() > eventsMax - size) {
      throw new OverloadedException(
          ("events without a time: the first times of %,d are kept, and %,d more exceed"
                  + " untimed.events-max; the oldest are forgotten after untimed.window, %s")
              .formatted(size, fresh.size(), Duration.ofMillis(windowMillis)),
          RETRY_AFTER);
    }
  }

  private @Nullable Generation holding(long lsb, long more) {
    Iterator<Generation> newestFirst = generations.descendingIterator();
    while (newestFirst.hasNext()) {
      Generation generation = newestFirst.next();
      if (generation.table.find(lsb, more) != FirstTimeTable.ABSENT) {
        return generation;
      }
    }
    return null;
  }

  /** Called once the times are durable in a log segment. */
  public synchronized void logged(FirstTimes times, long segment) {
    logged.addLast(new Logged(times, segment));
  }

  /** Another time than that of the files is of an event that was forgotten, and found anew. */
  public synchronized void replayed(FirstTimes times, long segment) {
    logged(times, segment);
    for (int i = 0; i < times.size(); i++) {
      Generation holding = holding(times.lsb(i), times.more(i));
      if (holding == null || holding.ticks(times.lsb(i), times.more(i)) != times.ticks(i)) {
        generations.getLast().table.put(times.lsb(i), times.more(i), times.ticks(i));
      }
    }
  }

  /** Moves the first times up to and including a log segment into a file; durable on return. */
  public void flush(long segment) throws IOException {
    List<FirstTimes> due = due(segment);
    Fresh fresh = new Fresh(due.stream().mapToInt(FirstTimes::size).sum());
    boolean isDone = false;
    try {
      due.forEach(fresh::take);
      if (fresh.size > 0) {
        newest().file.append(disk, staging, runningMillis(), fresh.times());
      }
      isDone = true;
    } finally {
      if (!isDone) {
        fresh.untake();
      }
    }
    synchronized (this) {
      due.forEach(times -> logged.removeFirst());
    }
  }

  private synchronized List<FirstTimes> due(long segment) {
    return logged.stream().takeWhile(each -> each.segment() <= segment).map(Logged::times).toList();
  }

  private synchronized Generation newest() {
    return generations.getLast();
  }

  /** Those of a flush that are in no file yet. */
  private final class Fresh {
    private final long[] lsb;
    private final long[] more;
    private final long[] ticks;
    private int size;

    private Fresh(int eventsMax) {
      lsb = new long[eventsMax];
      more = new long[eventsMax];
      ticks = new long[eventsMax];
    }

    /** Locks for one write at a time, since writers and readers wait for it. */
    private void take(FirstTimes times) {
      synchronized (FirstTimeIndex.this) {
        for (int i = 0; i < times.size(); i++) {
          take(times.lsb(i), times.more(i), times.ticks(i));
        }
      }
    }

    private void take(long eventLsb, long eventMore, long firstTicks) {
      Generation holding = holding(eventLsb, eventMore);
      FirstTimeTable table = (holding == null ? generations.getLast() : holding).table;
      int slot = table.find(eventLsb, eventMore);
      if (slot == FirstTimeTable.ABSENT) { // its generation ended before this flush
        slot = table.put(eventLsb, eventMore, firstTicks);
      }
      boolean isCurrent = table.ticks(slot) == firstTicks; // else it was found anew since
      if (isCurrent && !table.isInFile(slot)) {
        lsb[size] = eventLsb;
        more[size] = eventMore;
        ticks[size++] = firstTicks;
        table.setInFile(slot, true);
      }
    }

    private FirstTimes times() {
      return new FirstTimes(
          Arrays.copyOf(lsb, size), Arrays.copyOf(more, size), Arrays.copyOf(ticks, size));
    }

    private void untake() {
      synchronized (FirstTimeIndex.this) {
        for (int i = 0; i < size; i++) {
          Generation holding = holding(lsb[i], more[i]);
          if (holding != null) {
            holding.table.setInFile(holding.table.find(lsb[i], more[i]), false);
          }
        }
      }
    }
  }

  /** Begins another generation if it is time, and deletes those whose window has passed. */
  public void forget() throws IOException {
    long nowMillis = runningMillis();
    if (isOver(newest(), nowMillis)) {
      newest().file.mend(disk);
      begin(nowMillis);
    }
    Generation due = takeDue(nowMillis);
    while (due != null) {
      due.file.delete(disk); // or the next start does it
      due = takeDue(nowMillis);
    }
  }

  private synchronized boolean isOver(Generation newest, long nowMillis) {
    if (newest.isEmpty()) {
      newest.beganMillis = nowMillis;
    }
    return nowMillis - newest.beganMillis >= windowMillis / GENERATIONS_A_WINDOW;
  }

  private synchronized void begin(long nowMillis) {
    Generation newest = generations.getLast();
    newest.endedMillis = nowMillis;
    generations.addLast(new Generation(files, newest.number + 1, nowMillis));
  }

  private synchronized @Nullable Generation takeDue(long nowMillis) {
    Generation oldest = generations.getFirst();
    boolean isDue = generations.size() > 1 && nowMillis - oldest.endedMillis >= windowMillis;
    return isDue ? generations.removeFirst() : null;
  }

  public synchronized int size() {
    return generations.stream().mapToInt(generation -> generation.table.size()).sum();
  }

  public synchronized long diskBytes() {
    return generations.stream().mapToLong(generation -> generation.file.bytes()).sum();
  }
}
