package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.DuplicateLookup.Duplicates;
import hourglass.store.embedded.late.LateArrivalDetector;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.late.LateColumns;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that writes the commit log. All waiting writes share one force, then become visible,
 * and then are acknowledged. Thread-safe.
 */
public final class LogWriter implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

  /**
   * The size at which a group is full. A larger group would cost more in delay than it saves in
   * forces.
   */
  private static final long GROUP_BYTES_MAX = 8 << 20;

  /**
   * The least size of a segment that ends when idle. The flush of a smaller one would make many
   * small pages.
   */
  private static final long IDLE_BYTES_MIN = 1 << 20;

  private final CommitLog commitLog;
  private final int segmentBytesMax;
  private final MemoryBudget budget;
  private final Hours hours;
  private final EndedSegments endedSegments;
  private final LateArrivalDetector detector;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;
  private final SettleClock settleClock;
  private final Clock clock;
  private final BlockingQueue<Command> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean closed;
  private volatile long shownGroup;

  // The fields from here on belong to the log's thread.
  private boolean groupFailed;
  private long heldBytes;
  private long firstWriteMillis;
  private long lastWriteMillis;

  /** Accepts segments that ended, on the log's thread. */
  public interface EndedSegments {
    /** Accepts a segment; {@code bytes} of the memory budget are held by its columns. */
    void ended(long segment, long bytes);
  }

  /** A command, whose future completes once it is done and durable. */
  private sealed interface Command {
    CompletableFuture<Void> done();
  }

  /**
   * Appends columns, then makes them visible.
   *
   * @param client the client whose share new rows use
   * @param bytes reserved until the columns are in pages, and the first times in a file
   * @param lateBytes reserved until the late arrivals are known
   */
  private record Write(
      List<Mutation> mutations,
      FirstTimes firstTimes,
      Duplicates duplicates,
      Object client,
      long bytes,
      long lateBytes,
      CompletableFuture<Void> done)
      implements Command {

    long reservedBytes() {
      return bytes + lateBytes;
    }
  }

  private record Drop(Hour hour, CompletableFuture<Void> done) implements Command {}

  private record Roll(Duration idle, Duration age, CompletableFuture<Void> done)
      implements Command {}

  private record Stop(CompletableFuture<Void> done) implements Command {}

  public LogWriter(
      CommitLog commitLog,
      int segmentBytesMax,
      MemoryBudget budget,
      Hours hours,
      EndedSegments endedSegments,
      LateArrivalIndex lateArrivals,
      FirstTimeIndex firstTimes,
      SettleClock settleClock,
      Clock clock) {
    this.commitLog = commitLog;
    this.segmentBytesMax = segmentBytesMax;
    this.budget = budget;
    this.hours = hours;
    this.endedSegments = endedSegments;
    this.detector = new LateArrivalDetector(hours);
    this.lateArrivals = lateArrivals;
    this.firstTimes = firstTimes;
    this.settleClock = settleClock;
    this.clock = clock;
    this.shownGroup = commitLog.group() - 1;
    this.thread = new Thread(this::run, "hourglass-log");
    thread.start();
  }

  /**
   * Reserves memory, or fails. The stage completes once the columns are durable and visible, and
   * the first times durable.
   */
  public CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes times, Duplicates duplicates, Object client) {
    long bytes = (long) FirstTimes.EVENT_BYTES * times.size();
    long lateBytes = 0;
    for (Mutation mutation : mutations) {
      bytes += MemoryBudget.of(mutation);
      lateBytes += LateArrivalIndex.bytesAtMost(mutation);
    }
    Write write =
        new Write(
            mutations, times, duplicates, client, bytes, lateBytes, new CompletableFuture<>());
    budget.reserve(write.reservedBytes());
    CompletableFuture<Void> done = submit(write);
    if (done != write.done()) { // refused
      budget.release(write.reservedBytes());
    }
    return done;
  }

  /** Drops an hour, whose pages must be deleted already. */
  public CompletableFuture<Void> drop(Hour hour) {
    return submit(new Drop(hour, new CompletableFuture<>()));
  }

  public CompletableFuture<Void> roll(Duration idle, Duration age) {
    return submit(new Roll(idle, age, new CompletableFuture<>()));
  }

  private synchronized CompletableFuture<Void> submit(Command command) {
    if (closed) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
    closed = command instanceof Stop;
    queue.add(command);
    return command.done();
  }

  private void run() {
    List<Command> group = new ArrayList<>();
    while (takeGroup(group)) {
      try {
        commit(group);
      } catch (IOException | RuntimeException | Error e) { // without this thread, writes would hang
        fail(group, e);
      }
      rollIfDue(group);
      group.forEach(command -> command.done().complete(null));
      if (!group.isEmpty() && group.get(group.size() - 1) instanceof Stop) {
        return;
      }
      group.clear();
    }
  }

  private boolean takeGroup(List<Command> group) {
    try {
      Command next = queue.take();
      long bytes = 0;
      while (next != null) {
        group.add(next);
        bytes += next instanceof Write write ? write.bytes() : 0;
        next = bytes < GROUP_BYTES_MAX ? queue.poll() : null;
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void commit(List<Command> group) throws IOException {
    leaveFailedSegment();
    boolean any = false;
    group.removeIf(this::cannotBeShown);
    long number = commitLog.group();
    detector.begin(beginSettling(group));
    List<LateArrival> late = new ArrayList<>();
    long lateBytes = 0;
    for (Command command : group) {
      groupFailed = true; // true until the force, or if nothing was appended
      if (command instanceof Write write) {
        append(write, number, late);
        lateBytes += write.lateBytes();
        any = true;
      } else if (command instanceof Drop drop) {
        commitLog.appendDrop(drop.hour());
        any = true;
      }
    }
    if (any) {
      commitLog.force();
      lastWriteMillis = clock.millis();
    }
    groupFailed = false;
    lateArrivals.add(late, commitLog.segment(), lateBytes);
    group.forEach(command -> show(command, number));
    if (any) {
      shownGroup = number;
      lateArrivals.settle();
      settleClock.end();
    }
    for (Command command : group) {
      if (!(command instanceof Roll)) { // rollIfDue completes these later
        command.done().complete(null);
      }
    }
  }

  /** Returns the tick before which columns of the group are late. */
  private long beginSettling(List<Command> group) {
    if (group.stream().anyMatch(Write.class::isInstance)) {
      return settleClock.begin();
    }
    // Other commands are frequent, so a clock that was set back is noticed without writes too.
    settleClock.clockBehind();
    return Long.MIN_VALUE;
  }

  /**
   * Appends a write. Late arrivals and first times are in the same group as their columns, so that
   * neither exists alone.
   */
  private void append(Write write, long group, List<LateArrival> late) throws IOException {
    for (Mutation mutation : write.mutations()) {
      commitLog.append(mutation);
    }
    if (!write.firstTimes().isEmpty()) {
      commitLog.append(write.firstTimes());
    }
    for (LateColumns columns : detector.add(write.mutations(), write.duplicates())) {
      commitLog.append(columns);
      late.add(columns.at(new LateArrivalPlace(group, late.size())));
    }
  }

  public long shownGroup() {
    return shownGroup;
  }

  /**
   * Whether a command is refused before it is logged: a write whose hour cannot be loaded, or whose
   * new rows have no room.
   */
  private boolean cannotBeShown(Command command) {
    if (command instanceof Write write) {
      try {
        long nowMillis = clock.millis();
        for (Mutation mutation : write.mutations()) {
          hours.prepare(mutation.row(), write.client(), nowMillis);
        }
      } catch (RuntimeException e) {
        budget.release(write.reservedBytes());
        command.done().completeExceptionally(e);
        return true;
      }
    }
    return false;
  }

  /**
   * Leaves a segment after a failed force, since nothing may follow the unknown content on disk.
   */
  private void leaveFailedSegment() throws IOException {
    if (groupFailed) {
      long ended = commitLog.segment();
      commitLog.abandonGroup();
      groupFailed = false;
      settleClock.end();
      endSegment(ended);
    }
  }

  private void show(Command command, long group) {
    if (command instanceof Write write) {
      for (Mutation mutation : write.mutations()) {
        hours.show(mutation, commitLog.segment(), group, clock.millis(), write.client());
      }
      if (!write.firstTimes().isEmpty()) {
        firstTimes.logged(write.firstTimes(), commitLog.segment());
      }
      if (heldBytes == 0) {
        firstWriteMillis = lastWriteMillis;
      }
      heldBytes += write.bytes();
    } else if (command instanceof Drop drop) {
      hours.forgetLoaded(drop.hour());
    }
  }

  private void fail(List<Command> group, Throwable e) {
    logger.warn("commit log: a write failed, and is not acknowledged: {}", e.toString());
    for (Command command : group) {
      if (!command.done().isDone() && command instanceof Write write) {
        budget.release(write.reservedBytes()); // released first, so that a retry fits
      }
      command
          .done()
          .completeExceptionally(
              new UnavailableException("commit log: the write failed: " + FileProblem.of(e), e));
    }
  }

  private void rollIfDue(List<Command> group) {
    boolean due =
        commitLog.segmentBytes() >= segmentBytesMax
            || group.stream().anyMatch(command -> command instanceof Roll roll && isDue(roll));
    if (!due || groupFailed) {
      return;
    }
    try {
      long ended = commitLog.segment();
      commitLog.roll();
      endSegment(ended);
    } catch (IOException | RuntimeException | Error e) {
      logger.warn("commit log: no new segment can be begun, the old one grows: {}", e.toString());
    }
  }

  private boolean isDue(Roll roll) {
    return heldBytes > 0
        && (commitLog.segmentBytes() >= IDLE_BYTES_MIN && isPast(lastWriteMillis, roll.idle())
            || isPast(firstWriteMillis, roll.age()));
  }

  /** Whether a time has passed. If the clock was set back, it counts as passed, once. */
  private boolean isPast(long sinceMillis, Duration time) {
    long passed = clock.millis() - sinceMillis;
    return passed >= time.toMillis() || passed < 0;
  }

  private void endSegment(long ended) {
    endedSegments.ended(ended, heldBytes);
    heldBytes = 0;
  }

  @Override
  public void close() {
    Stop stop = new Stop(new CompletableFuture<>());
    if (submit(stop) != stop.done()) {
      return; // closed before
    }
    Uninterrupted.await(thread::join);
    try {
      if (!groupFailed) {
        commitLog.endCleanly();
      }
    } catch (IOException e) {
      logger.warn("commit log: its end cannot be written down: {}", e.toString());
    }
    QuietClose.quietly(commitLog);
  }
}
