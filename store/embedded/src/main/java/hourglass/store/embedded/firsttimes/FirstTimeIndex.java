package hourglass.store.embedded.firsttimes;

import hourglass.store.FirstTimes;
import hourglass.store.OverloadedException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * First times in memory; on disk they are in the log while its segments exist, then in files.
 * Thread-safe: many find, the log's thread adds, and the thread of pages moves and deletes.
 *
 * <p>Generations of a quarter of the window hold them. A generation is deleted a window after its
 * end, so a first time lives for one to one and a quarter windows.
 */
public final class FirstTimeIndex {
  private static final int GENERATIONS_A_WINDOW = 4;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

  private final Disk disk;
  private final StoreFiles files;
  private final long windowMillis;
  private final int eventsMax;

  /** Oldest first, and at least one. */
  private final Deque<Generation> generations = new ArrayDeque<>();

  /** Stored, and perhaps in no file. */
  private final Deque<Logged> logged = new ArrayDeque<>();

  private @Nullable ByteBuffer staging;

  private record Logged(FirstTimes times, long segment) {}

  private static final class Generation {
    private final long number;
    private final FirstTimeTable table = new FirstTimeTable();
    private final FirstTimeFile file;
    private long beganMillis;

    /** Valid once a later one has begun. */
    private long endedMillis;

    private Generation(StoreFiles files, long number, long nowMillis) {
      this.number = number;
      this.file = new FirstTimeFile(files.firstTimes(number), number);
      this.beganMillis = nowMillis;
    }

    /** A time in the future is of a clock that was set back. */
    private void load(long nowMillis) throws IOException {
      file.load(
          (millis, times) -> {
            beganMillis = Math.min(beganMillis, millis);
            endedMillis = Math.min(nowMillis, millis);
            for (int i = 0; i < times.size(); i++) {
              if (table.find(times.lsb(i), times.more(i)) == FirstTimeTable.ABSENT) {
                int slot = table.add(times.lsb(i), times.more(i), times.ticks(i));
                table.setInFile(slot, true);
              }
            }
          });
    }
  }

  /**
   * Reads the files.
   *
   * @param window for which a first time is kept at least
   * @param eventsMax of all first times
   */
  public FirstTimeIndex(Disk disk, StoreFiles files, Duration window, int eventsMax, long nowMillis)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.windowMillis = window.toMillis();
    this.eventsMax = eventsMax;
    if (FileKind.FOLDER.isAt(files.firstTimes())) {
      for (long number : StoreFiles.numbers(files.firstTimes(), StoreFiles.FIRST_TIMES_SUFFIX)) {
        Generation generation = new Generation(files, number, nowMillis);
        generation.load(nowMillis);
        generations.addLast(generation);
      }
    }
    if (generations.isEmpty()) {
      generations.addLast(new Generation(files, 1, nowMillis));
    }
  }

  /** Returns the first times of events; those of new events are reserved. */
  public synchronized FirstTimes find(FirstTimes found) {
    refuseMoreThanFit(found);
    long[] ticks = new long[found.size()];
    for (int i = 0; i < ticks.length; i++) {
      Generation generation = holding(found.lsb(i), found.more(i));
      ticks[i] = found.ticks(i);
      if (generation == null) {
        generations.getLast().table.add(found.lsb(i), found.more(i), found.ticks(i));
      } else {
        FirstTimeTable table = generation.table;
        ticks[i] = table.ticks(table.find(found.lsb(i), found.more(i)));
      }
    }
    return found.at(ticks);
  }

  private void refuseMoreThanFit(FirstTimes found) {
    int room = eventsMax - size();
    if (room >= found.size()) {
      return;
    }
    for (int i = 0; i < found.size(); i++) {
      if (holding(found.lsb(i), found.more(i)) == null && --room < 0) {
        throw new OverloadedException(
            ("events without a time: the first times of %,d are kept, which is untimed.events-max;"
                    + " the oldest are forgotten after untimed.window, %s")
                .formatted(size(), Duration.ofMillis(windowMillis)),
            RETRY_AFTER);
      }
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

  public synchronized void replayed(FirstTimes times, long segment) {
    logged(times, segment);
    for (int i = 0; i < times.size(); i++) {
      if (holding(times.lsb(i), times.more(i)) == null) {
        generations.getLast().table.add(times.lsb(i), times.more(i), times.ticks(i));
      }
    }
  }

  /** Moves the first times up to and including a log segment into a file; durable on return. */
  public void flush(long segment, long nowMillis) throws IOException {
    List<FirstTimes> due;
    FirstTimes fresh;
    FirstTimeFile file;
    synchronized (this) {
      due = logged.stream().takeWhile(l -> l.segment() <= segment).map(Logged::times).toList();
      fresh = takeFresh(due);
      file = generations.getLast().file;
    }
    try {
      if (!fresh.isEmpty()) {
        file.append(disk, staging(), nowMillis, fresh);
      }
    } catch (IOException | RuntimeException e) {
      setInFile(fresh, false);
      throw e;
    }
    synchronized (this) {
      due.forEach(times -> logged.removeFirst());
    }
  }

  /** Marks those that are in no file. */
  private FirstTimes takeFresh(List<FirstTimes> all) {
    int events = all.stream().mapToInt(FirstTimes::size).sum();
    long[] lsb = new long[events];
    long[] more = new long[events];
    long[] ticks = new long[events];
    int size = 0;
    for (FirstTimes times : all) {
      for (int i = 0; i < times.size(); i++) {
        if (takeFresh(times, i)) {
          lsb[size] = times.lsb(i);
          more[size] = times.more(i);
          ticks[size++] = times.ticks(i);
        }
      }
    }
    return new FirstTimes(
        Arrays.copyOf(lsb, size), Arrays.copyOf(more, size), Arrays.copyOf(ticks, size));
  }

  private boolean takeFresh(FirstTimes times, int event) {
    Generation generation = holding(times.lsb(event), times.more(event));
    FirstTimeTable table = (generation == null ? generations.getLast() : generation).table;
    int slot = table.find(times.lsb(event), times.more(event));
    if (slot == FirstTimeTable.ABSENT) { // it was flushed too late for its generation
      slot = table.add(times.lsb(event), times.more(event), times.ticks(event));
    }
    boolean isFresh = !table.isInFile(slot);
    table.setInFile(slot, true);
    return isFresh;
  }

  private synchronized void setInFile(FirstTimes times, boolean isInFile) {
    for (int i = 0; i < times.size(); i++) {
      Generation generation = holding(times.lsb(i), times.more(i));
      if (generation != null) {
        FirstTimeTable table = generation.table;
        table.setInFile(table.find(times.lsb(i), times.more(i)), isInFile);
      }
    }
  }

  private ByteBuffer staging() {
    if (staging == null) {
      staging = FrameWriter.staging();
    }
    return staging;
  }

  /** Begins another generation, and deletes those whose window has passed. */
  public void forget(long nowMillis) throws IOException {
    beginGeneration(nowMillis);
    Generation due = due(nowMillis);
    while (due != null) {
      due.file.delete(disk);
      synchronized (this) {
        generations.removeFirst();
      }
      due = due(nowMillis);
    }
  }

  /** A clock that was set back ends a generation too. */
  private synchronized void beginGeneration(long nowMillis) {
    Generation newest = generations.getLast();
    long age = nowMillis - newest.beganMillis;
    if (newest.table.size() == 0) {
      newest.beganMillis = nowMillis;
    } else if (age < 0 || age >= windowMillis / GENERATIONS_A_WINDOW) {
      newest.endedMillis = nowMillis;
      generations.addLast(new Generation(files, newest.number + 1, nowMillis));
    }
  }

  private synchronized @Nullable Generation due(long nowMillis) {
    Generation oldest = generations.getFirst();
    boolean isDue = generations.size() > 1 && nowMillis - oldest.endedMillis >= windowMillis;
    return isDue ? oldest : null;
  }

  public synchronized int size() {
    return generations.stream().mapToInt(generation -> generation.table.size()).sum();
  }

  public synchronized long diskBytes() {
    return generations.stream().mapToLong(generation -> generation.file.bytes()).sum();
  }
}
