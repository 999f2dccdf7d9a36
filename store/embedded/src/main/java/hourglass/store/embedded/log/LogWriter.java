package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.FirstTimes;
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
import hourglass.store.embedded.late.LateGroup;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that writes the commit log. All waiting writes share one force, then become visible,
 * and then are acknowledged. Thread-safe.
 */
public final class LogWriter implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

  private final CommitLog commitLog;
  private final MemoryBudget budget;
  private final Hours hours;
  private final EndedSegments endedSegments;
  private final FirstTimeIndex firstTimes;
  private final Clock clock;
  private final CommandQueue queue = new CommandQueue();
  private final Thread thread;
  private volatile long shownGroup;

  // The fields from here on belong to the log's thread.
  private final LateGroup late;
  private final SegmentAge age;
  private boolean groupFailed;

  /** Accepts segments that ended, on the log's thread. */
  public interface EndedSegments {
    /** Accepts a segment; {@code bytes} of the memory budget are held by its columns. */
    void ended(long segment, long bytes);
  }

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
    this.budget = budget;
    this.hours = hours;
    this.endedSegments = endedSegments;
    this.firstTimes = firstTimes;
    this.clock = clock;
    this.late = new LateGroup(new LateArrivalDetector(hours), lateArrivals, settleClock);
    this.age = new SegmentAge(segmentBytesMax, clock);
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
    LogCommand.Write write =
        new LogCommand.Write(
            mutations, times, duplicates, client, bytes, lateBytes, new CompletableFuture<>());
    budget.reserve(write.reservedBytes());
    CompletableFuture<Void> done = queue.submit(write);
    if (done != write.done()) { // refused
      budget.release(write.reservedBytes());
    }
    return done;
  }

  /** Drops an hour, whose pages must be deleted already. */
  public CompletableFuture<Void> drop(Hour hour) {
    return queue.submit(new LogCommand.Drop(hour, new CompletableFuture<>()));
  }

  /** Drops a type of an hour, whose pages must be removed already. */
  public CompletableFuture<Void> drop(TypeHour of) {
    return queue.submit(new LogCommand.DropType(of, new CompletableFuture<>()));
  }

  /**
   * Ends the segment if it has columns and is old enough. The future completes once that is done,
   * and fails if no other segment can be begun.
   */
  public CompletableFuture<Void> roll(Duration idle, Duration age) {
    return queue.submit(new LogCommand.Roll(idle, age, new CompletableFuture<>()));
  }

  /**
   * Ends the segment, and skips the number of a group, which no write has. The future completes
   * with that number once the next segment is begun: all columns of lesser groups are in ended
   * segments, and the group of each later write is greater. It fails like {@link #roll}.
   */
  public CompletableFuture<Long> skipGroup() {
    LogCommand.SkipGroup skip =
        new LogCommand.SkipGroup(new AtomicLong(), new CompletableFuture<>());
    return queue.submit(skip).thenApply(done -> skip.group().get());
  }

  private void run() {
    List<LogCommand> group = new ArrayList<>();
    while (queue.takeGroup(group)) {
      try {
        commit(group);
      } catch (IOException | RuntimeException | Error e) { // without this thread, writes would hang
        fail(group, e);
      }
      rollIfDue(group);
      group.forEach(command -> command.done().complete(null));
      if (!group.isEmpty() && group.get(group.size() - 1) instanceof LogCommand.Stop) {
        return;
      }
      group.clear();
    }
  }

  private void commit(List<LogCommand> group) throws IOException {
    leaveFailedSegment();
    group.removeIf(this::cannotBeShown);
    long number = commitLog.group();
    late.begin(number, group.stream().anyMatch(LogCommand.Write.class::isInstance));
    boolean any = false;
    for (LogCommand command : group) {
      groupFailed = true; // true until the force, or if nothing was appended
      if (command instanceof LogCommand.Write write) {
        append(write);
        any = true;
      } else if (command instanceof LogCommand.Drop drop) {
        commitLog.appendDrop(drop.hour());
        any = true;
      } else if (command instanceof LogCommand.DropType drop) {
        commitLog.appendDrop(drop.of());
        any = true;
      }
    }
    if (any) {
      commitLog.force();
      age.written();
    }
    groupFailed = false;
    late.logged(commitLog.segment());
    group.forEach(command -> show(command, number));
    if (any) {
      shownGroup = number;
      late.shown();
    }
    for (LogCommand command : group) {
      if (!endsSegment(command)) { // rollIfDue completes these later
        command.done().complete(null);
      }
    }
  }

  /**
   * Appends a write. Late arrivals and first times are in the same group as their columns, so that
   * neither exists alone.
   */
  private void append(LogCommand.Write write) throws IOException {
    for (Mutation mutation : write.mutations()) {
      commitLog.append(mutation);
    }
    if (!write.firstTimes().isEmpty()) {
      commitLog.append(write.firstTimes());
    }
    for (LateColumns columns : late.add(write.mutations(), write.duplicates(), write.lateBytes())) {
      commitLog.append(columns);
    }
  }

  public long shownGroup() {
    return shownGroup;
  }

  /**
   * Whether a command is refused before it is logged: a write whose hour cannot be loaded, or whose
   * new rows have no room.
   */
  private boolean cannotBeShown(LogCommand command) {
    if (command instanceof LogCommand.Write write) {
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
      late.abandoned();
      endSegment(ended);
    }
  }

  private void show(LogCommand command, long group) {
    if (command instanceof LogCommand.Write write) {
      for (Mutation mutation : write.mutations()) {
        hours.show(mutation, commitLog.segment(), group, clock.millis(), write.client());
      }
      if (!write.firstTimes().isEmpty()) {
        firstTimes.logged(write.firstTimes(), commitLog.segment());
      }
      age.hold(write.bytes());
    } else if (command instanceof LogCommand.Drop drop) {
      hours.forgetLoaded(drop.hour());
    } else if (command instanceof LogCommand.DropType drop) {
      hours.forgetRuns(drop.of());
    }
  }

  private void fail(List<LogCommand> group, Throwable e) {
    logger.warn("commit log: a write failed, and is not acknowledged: {}", e.toString());
    for (LogCommand command : group) {
      if (!command.done().isDone() && command instanceof LogCommand.Write write) {
        budget.release(write.reservedBytes()); // released first, so that a retry fits
      }
      command
          .done()
          .completeExceptionally(
              new UnavailableException("commit log: the write failed: " + FileProblem.of(e), e));
    }
  }

  private static boolean endsSegment(LogCommand command) {
    return command instanceof LogCommand.Roll || command instanceof LogCommand.SkipGroup;
  }

  private void rollIfDue(List<LogCommand> group) {
    boolean skips = group.stream().anyMatch(LogCommand.SkipGroup.class::isInstance);
    if (groupFailed || !skips && !age.isDue(commitLog.segmentBytes(), group)) {
      return;
    }
    try {
      long ended = commitLog.segment();
      if (skips) {
        skipGroup(group);
      } else {
        commitLog.roll();
      }
      endSegment(ended);
    } catch (IOException | RuntimeException | Error e) {
      logger.warn("commit log: no new segment can be begun, the old one grows: {}", e.toString());
      failRolls(group, e);
    }
  }

  private void skipGroup(List<LogCommand> group) throws IOException {
    long skipped = commitLog.skipGroup();
    shownGroup = skipped; // pages may have this group, so a restored log must begin after it
    for (LogCommand command : group) {
      if (command instanceof LogCommand.SkipGroup skip) {
        skip.group().set(skipped);
      }
    }
  }

  /** Fails the commands that wanted the segment to end: its columns will not be flushed. */
  private static void failRolls(List<LogCommand> group, Throwable e) {
    for (LogCommand command : group) {
      if (endsSegment(command)) {
        command
            .done()
            .completeExceptionally(
                new UnavailableException(
                    "commit log: no new segment can be begun: " + FileProblem.of(e), e));
      }
    }
  }

  private void endSegment(long ended) {
    endedSegments.ended(ended, age.end());
  }

  @Override
  public void close() {
    LogCommand.Stop stop = new LogCommand.Stop(new CompletableFuture<>());
    if (queue.submit(stop) != stop.done()) {
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
