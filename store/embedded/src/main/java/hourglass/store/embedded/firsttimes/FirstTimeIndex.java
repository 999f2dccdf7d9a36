package hourglass.store.embedded.firsttimes;

import hourglass.access.SharedRoom;
import hourglass.store.FirstTimes;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first times in memory. On disk they are in the log while its segments exist, and then in
 * files. Thread-safe: many threads find, the log's thread adds, and the pages thread moves and
 * deletes.
 *
 * <p>First times are kept in generations, each for a quarter of the window. A generation is deleted
 * one window after its end, so a first time lives for one to one and a quarter windows. Only time
 * in which the store runs counts, since a clock that is set forward would forget early.
 */
public final class FirstTimeIndex {
  private static final int GENERATIONS_A_WINDOW = 4;

  /** The period at which {@link #forget} must be called. */
  public static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /**
   * The longest delay that a refusal proposes, since an operator may make room before a long window
   * ends.
   */
  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;
  private final long windowMillis;
  private final SharedRoom room;
  private final LongSupplier steadyMillis;

  /** The running time before this process, minus the steady time at its start. */
  private final long ranBeforeMillis;

  /** The generations, oldest first; there is at least one. */
  private final Deque<FirstTimeGeneration> generations = new ArrayDeque<>();

  /** The first times that are durable in the log, but perhaps in no file yet. */
  private final Deque<Logged> logged = new ArrayDeque<>();

  private record Logged(FirstTimes times, long segment) {}

  private record Event(long lsb, long more) {}

  /**
   * Reads the files.
   *
   * @param staging the buffer of the pages thread
   * @param window the least time for which a first time is kept
   * @param eventsMax the most first times; each client gets a share for its new ones
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
    this.room = new SharedRoom(eventsMax);
    this.steadyMillis = steadyMillis;
    long ranMillis = 0;
    if (FileKind.FOLDER.isAt(files.firstTimes())) {
      for (long number : StoreFiles.numbers(files.firstTimes(), StoreFiles.FIRST_TIMES_SUFFIX)) {
        FirstTimeGeneration generation = new FirstTimeGeneration(files, room, number, ranMillis);
        generation.load();
        ranMillis = Math.max(ranMillis, generation.endedMillis);
        generations.addLast(generation);
      }
    }
    deleteUnfinished();
    if (generations.isEmpty()) {
      generations.addLast(new FirstTimeGeneration(files, room, 1, 0));
    }
    this.ranBeforeMillis = ranMillis - steadyMillis.getAsLong();
  }

  /** Deletes what failed attempts to write a file anew left. */
  private void deleteUnfinished() throws IOException {
    if (FileKind.FOLDER.isAt(files.firstTimes())) {
      StoreFiles.deleteUnfinished(disk, files.firstTimes(), StoreFiles.FIRST_TIMES_SUFFIX);
    }
  }

  /**
   * Removes the first times of erased events from the files; that is durable on return. They stay
   * in memory until they are forgotten, so that a repeat keeps its name, which is refused. Runs on
   * the thread that flushes.
   *
   * @param isErased whether the lower half of a name is that of an erased event
   */
  public void erase(LongPredicate isErased) throws IOException {
    deleteUnfinished(); // they may have other events
    List<FirstTimeGeneration> all;
    synchronized (this) {
      all = List.copyOf(generations);
    }
    for (FirstTimeGeneration generation : all) {
      generation.file.retain(disk, staging, lsb -> !isErased.test(lsb));
    }
    if (FileKind.FOLDER.isAt(files.firstTimes())) {
      disk.forceDirectory(files.firstTimes()); // of an attempt whose force failed
    }
  }

  private long runningMillis() {
    return ranBeforeMillis + steadyMillis.getAsLong();
  }

  /**
   * Returns the first times of events, and reserves those of new events.
   *
   * @param client the client whose share the new ones use
   * @throws OverloadedException if the share has no room for all new ones now; none is reserved
   * @throws TooLargeException if the share never has room for them
   */
  public synchronized FirstTimes find(FirstTimes found, Object client) {
    Object holder = room.holder(client);
    refuseMoreThanFit(found, holder);
    long[] ticks = new long[found.size()];
    for (int i = 0; i < ticks.length; i++) {
      FirstTimeGeneration generation = holding(found.lsb(i), found.more(i));
      ticks[i] = found.ticks(i);
      if (generation == null) {
        generations.getLast().put(found.lsb(i), found.more(i), found.ticks(i), holder);
      } else {
        ticks[i] = generation.ticks(found.lsb(i), found.more(i));
      }
    }
    return found.at(ticks);
  }

  private void refuseMoreThanFit(FirstTimes found, Object holder) {
    if (found.size() <= room.left(holder)) {
      return;
    }
    Set<Event> fresh = new HashSet<>();
    for (int i = 0; i < found.size(); i++) {
      if (holding(found.lsb(i), found.more(i)) == null) {
        fresh.add(new Event(found.lsb(i), found.more(i)));
      }
    }
    if (fresh.size() > room.ofOne()) {
      throw new TooLargeException(
          "%,d events without a time in one write never fit into the share of a client, %,d of untimed.events-max: send fewer at a time, or make it larger"
              .formatted(fresh.size(), room.ofOne()));
    }
    if (!fresh.isEmpty() && fresh.size() > room.left(holder)) {
      throw refusal(holder, fresh.size());
    }
  }

  private OverloadedException refusal(Object holder, int events) {
    long own = room.held(holder);
    Duration wait = untilRoom(holder, events);
    return new OverloadedException(
        "untimed.events-max = %,d: the times at which events without a time were first found are kept, %,d of this client and %,d of others (hourglass_store_first_times_held names the largest), and %,d more exceed its share; enough are forgotten in %,d s: send events with a time, or make it larger"
            .formatted(room.max(), own, room.total() - own, events, wait.toSeconds()),
        wait.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : wait);
  }

  /** The time until enough first times are forgotten, if no others replace them. */
  private Duration untilRoom(Object holder, int events) {
    long own = room.held(holder);
    long total = room.total();
    Iterator<FirstTimeGeneration> oldestFirst = generations.iterator();
    FirstTimeGeneration next = oldestFirst.next();
    while (oldestFirst.hasNext()) {
      own -= next.held(holder);
      total -= next.table.size();
      if (room.leftAt(own, total) >= events) {
        return forgottenIn(next.endedMillis);
      }
      next = oldestFirst.next();
    }
    return forgottenIn(next.beganMillis + generationMillis() + FORGET_EVERY.toMillis());
  }

  private Duration forgottenIn(long endMillis) {
    long millis = Math.max(0, endMillis + windowMillis - runningMillis());
    return Duration.ofMillis(millis).plus(FORGET_EVERY);
  }

  private long generationMillis() {
    return windowMillis / GENERATIONS_A_WINDOW;
  }

  private @Nullable FirstTimeGeneration holding(long lsb, long more) {
    Iterator<FirstTimeGeneration> newestFirst = generations.descendingIterator();
    while (newestFirst.hasNext()) {
      FirstTimeGeneration generation = newestFirst.next();
      if (generation.table.find(lsb, more) != FirstTimeTable.ABSENT) {
        return generation;
      }
    }
    return null;
  }

  /** Records that times are durable in a log segment. */
  public synchronized void logged(FirstTimes times, long segment) {
    logged.addLast(new Logged(times, segment));
  }

  /**
   * Keeps first times of the log, which does not contain clients. A time that differs from the one
   * in the files belongs to an event that was forgotten and then found anew.
   */
  public synchronized void replayed(FirstTimes times, long segment) {
    logged(times, segment);
    for (int i = 0; i < times.size(); i++) {
      FirstTimeGeneration holding = holding(times.lsb(i), times.more(i));
      if (holding == null || holding.ticks(times.lsb(i), times.more(i)) != times.ticks(i)) {
        FirstTimeGeneration newest = generations.getLast();
        newest.put(times.lsb(i), times.more(i), times.ticks(i), SharedRoom.NOBODY);
      }
    }
  }

  /**
   * Moves the first times up to and including a log segment into a file; they are durable on
   * return.
   */
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

  private synchronized FirstTimeGeneration newest() {
    return generations.getLast();
  }

  /** The first times of a flush that are in no file yet. */
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

    /**
     * Collects the times of one write. It locks for one write at a time, since writers and readers
     * wait for the lock.
     */
    private void take(FirstTimes times) {
      synchronized (FirstTimeIndex.this) {
        for (int i = 0; i < times.size(); i++) {
          take(times.lsb(i), times.more(i), times.ticks(i));
        }
      }
    }

    private void take(long eventLsb, long eventMore, long firstTicks) {
      FirstTimeGeneration holding = holding(eventLsb, eventMore);
      FirstTimeGeneration generation = holding == null ? generations.getLast() : holding;
      FirstTimeTable table = generation.table;
      int slot = table.find(eventLsb, eventMore);
      if (slot == FirstTimeTable.ABSENT) { // its generation ended before this flush
        slot = generation.put(eventLsb, eventMore, firstTicks, SharedRoom.NOBODY);
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
          FirstTimeGeneration holding = holding(lsb[i], more[i]);
          if (holding != null) {
            holding.table.setInFile(holding.table.find(lsb[i], more[i]), false);
          }
        }
      }
    }
  }

  /** Begins another generation when it is time, and deletes those whose window has passed. */
  public void forget() throws IOException {
    long nowMillis = runningMillis();
    if (isOver(newest(), nowMillis)) {
      newest().file.mend(disk);
      begin(nowMillis);
    }
    FirstTimeGeneration due = takeDue(nowMillis);
    while (due != null) {
      due.file.delete(disk); // if it fails, the next start deletes it
      due = takeDue(nowMillis);
    }
  }

  private synchronized boolean isOver(FirstTimeGeneration newest, long nowMillis) {
    if (newest.isEmpty()) {
      newest.beganMillis = nowMillis;
    }
    return nowMillis - newest.beganMillis >= generationMillis();
  }

  private synchronized void begin(long nowMillis) {
    FirstTimeGeneration newest = generations.getLast();
    newest.endedMillis = nowMillis;
    generations.addLast(new FirstTimeGeneration(files, room, newest.number + 1, nowMillis));
  }

  private synchronized @Nullable FirstTimeGeneration takeDue(long nowMillis) {
    FirstTimeGeneration oldest = generations.getFirst();
    boolean isDue = generations.size() > 1 && nowMillis - oldest.endedMillis >= windowMillis;
    if (!isDue) {
      return null;
    }
    generations.removeFirst();
    oldest.release();
    return oldest;
  }

  /** The room of all first times, shared by the clients that sent them since the start. */
  public SharedRoom room() {
    return room;
  }

  /** Returns the files and their valid lengths. */
  public synchronized Map<Path, Long> lengths() {
    Map<Path, Long> lengths = new TreeMap<>();
    for (FirstTimeGeneration generation : generations) {
      if (generation.file.bytes() > 0) {
        lengths.put(files.firstTimes(generation.number), generation.file.bytes());
      }
    }
    return lengths;
  }

  public synchronized long diskBytes() {
    return generations.stream().mapToLong(generation -> generation.file.bytes()).sum();
  }
}
