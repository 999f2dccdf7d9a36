package hourglass.store.embedded.log;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.late.DuplicateNames;
import hourglass.store.embedded.late.LateArrivalDetector;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.late.LateColumns;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.rows.MemoryBudget;
import hourglass.store.embedded.rows.RowTable;
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
 * then are acknowledged. Thread-safe. The memory budget bounds the queue.
 */
public final class LogWriter implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

  /** A larger group would cost more in delay than it saves in forces. */
  private static final long GROUP_BYTES_MAX = 8 << 20;

  /** A smaller idle segment stays open, because its flush would make many small pages. */
  private static final long IDLE_BYTES_MIN = 1 << 20;

  private final CommitLog commitLog;
  private final int segmentBytesMax;
  private final MemoryBudget budget;
  private final RowTable rows;
  private final EndedSegments endedSegments;
  private final LateArrivalDetector late;
  private final LateArrivalIndex arrivals;
  private final SettleClock settling;
  private final Clock clock;
  private final BlockingQueue<LogCommand> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean closed;

  private volatile long shownGroup;

  // Used by the log's thread only.
  private boolean groupFailed;
  private long heldBytes;
  private long firstWriteMillis;
  private long lastWriteMillis;

  /** Receives ended segments. Called by the log's thread. */
  public interface EndedSegments {
    /**
     * Takes an ended segment, which can be flushed.
     *
     * @param bytes the part of the memory budget that its columns hold
     */
    void ended(long segment, long bytes);
  }

  public LogWriter(
      CommitLog commitLog,
      int segmentBytesMax,
      MemoryBudget budget,
      RowTable rows,
      EndedSegments endedSegments,
      LateArrivalDetector late,
      LateArrivalIndex arrivals,
      SettleClock settling,
      Clock clock) {
    this.commitLog = commitLog;
    this.segmentBytesMax = segmentBytesMax;
    this.budget = budget;
    this.rows = rows;
    this.endedSegments = endedSegments;
    this.late = late;
    this.arrivals = arrivals;
    this.settling = settling;
    this.clock = clock;
    this.shownGroup = commitLog.group() - 1;
    this.thread = new Thread(this::run, "hourglass-log");
    thread.start();
  }

  /**
   * Appends columns; completes once they are durable and visible. Reserves memory from the budget.
   *
   * @param known the columns that were in their rows before
   * @throws hourglass.store.OverloadedException if the budget is used up
   */
  public CompletionStage<Void> write(List<Mutation> mutations, DuplicateNames known) {
    long bytes = 0;
    long noteBytes = 0;
    for (Mutation mutation : mutations) {
      bytes += MemoryBudget.of(mutation);
      noteBytes += LateArrivalIndex.bytesAtMost(mutation);
    }
    LogCommand.Write write =
        new LogCommand.Write(mutations, known, bytes, noteBytes, new CompletableFuture<>());
    budget.reserve(write.reservedBytes());
    if (!offer(write)) {
      budget.release(write.reservedBytes());
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
    return write.done();
  }

  /** Enqueues a command; fails if the log is closed. */
  public CompletableFuture<Void> submit(LogCommand command) {
    return offer(command)
        ? command.done()
        : CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
  }

  private synchronized boolean offer(LogCommand command) {
    if (closed) {
      return false;
    }
    closed = command instanceof LogCommand.Stop;
    return queue.add(command);
  }

  private void run() {
    List<LogCommand> group = new ArrayList<>();
    while (takeGroup(group)) {
      try {
        commit(group);
      } catch (IOException | RuntimeException | Error e) { // without its thread, writes would hang
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

  /** Waits for a command, then takes others that are waiting. */
  private boolean takeGroup(List<LogCommand> group) {
    try {
      LogCommand next = queue.take();
      long bytes = 0;
      while (next != null) {
        group.add(next);
        bytes += next instanceof LogCommand.Write write ? write.bytes() : 0;
        next = bytes < GROUP_BYTES_MAX ? queue.poll() : null;
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void commit(List<LogCommand> group) throws IOException {
    leaveFailedSegment();
    boolean any = false;
    group.removeIf(this::cannotBeShown);
    long number = commitLog.group();
    late.begin(beginsToSettle(group));
    List<LateArrival> notes = new ArrayList<>();
    for (LogCommand command : group) {
      groupFailed = true; // until the force, or if nothing was appended
      any |= command.appendTo(commitLog);
      appendNotes(command, number, notes);
    }
    if (any) {
      commitLog.force();
      lastWriteMillis = clock.millis();
    }
    groupFailed = false;
    arrivals.add(notes, commitLog.segment(), noteBytes(group));
    group.forEach(command -> show(command, number));
    if (any) {
      shownGroup = number;
      arrivals.settle();
      settling.end();
    }
    for (LogCommand command : group) {
      if (!(command instanceof LogCommand.Roll)) { // done later, by rollIfDue
        command.done().complete(null);
      }
    }
  }

  private static long noteBytes(List<LogCommand> group) {
    return group.stream()
        .mapToLong(command -> command instanceof LogCommand.Write write ? write.noteBytes() : 0)
        .sum();
  }

  /** Begins the group for settling. Columns before the returned tick are late. */
  private long beginsToSettle(List<LogCommand> group) {
    if (group.stream().anyMatch(LogCommand.Write.class::isInstance)) {
      return settling.begin();
    }
    // Check without writes too: other commands arrive often enough to notice a clock that was set
    // back.
    settling.clockBehind();
    return Long.MIN_VALUE;
  }

  /** Appends late arrivals to the same group as their columns, so that neither exists alone. */
  private void appendNotes(LogCommand command, long group, List<LateArrival> notes)
      throws IOException {
    if (command instanceof LogCommand.Write write) {
      for (LateColumns note : late.add(write.mutations(), write.known())) {
        commitLog.appendNote(note);
        notes.add(note.at(new LateArrivalPlace(group, notes.size())));
      }
    }
  }

  /** The newest group whose columns are visible. */
  public long shownGroup() {
    return shownGroup;
  }

  /**
   * Refuses a write that could not be shown, before it is logged: its hour cannot be loaded, or has
   * too many rows.
   */
  private boolean cannotBeShown(LogCommand command) {
    if (command instanceof LogCommand.Write write) {
      try {
        write.mutations().forEach(mutation -> rows.prepare(mutation.row()));
      } catch (RuntimeException e) {
        budget.release(write.reservedBytes());
        command.done().completeExceptionally(e);
        return true;
      }
    }
    return false;
  }

  /**
   * Ends a segment after a failed force, which leaves unknown content on disk: nothing may follow
   * it.
   */
  private void leaveFailedSegment() throws IOException {
    if (groupFailed) {
      long ended = commitLog.segment();
      commitLog.abandonGroup();
      groupFailed = false;
      settling.end();
      endSegment(ended);
    }
  }

  private void show(LogCommand command, long group) {
    if (command instanceof LogCommand.Write write) {
      for (Mutation mutation : write.mutations()) {
        rows.show(mutation, commitLog.segment(), group);
      }
      if (heldBytes == 0) {
        firstWriteMillis = lastWriteMillis;
      }
      heldBytes += write.bytes();
    } else if (command instanceof LogCommand.Drop drop) {
      rows.drop(drop.hour());
    }
  }

  private void fail(List<LogCommand> group, Throwable e) {
    logger.warn("commit log: a write failed, and is not acknowledged: {}", e.toString());
    for (LogCommand command : group) {
      if (!command.done().isDone() && command instanceof LogCommand.Write write) {
        budget.release(write.reservedBytes()); // first, so that a retry fits
      }
      command
          .done()
          .completeExceptionally(new UnavailableException("commit log: the write failed: " + e, e));
    }
  }

  private void rollIfDue(List<LogCommand> group) {
    boolean due = commitLog.segmentBytes() >= segmentBytesMax;
    for (LogCommand command : group) {
      due |= command instanceof LogCommand.Roll roll && isDue(roll);
    }
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

  private boolean isDue(LogCommand.Roll roll) {
    boolean idle =
        commitLog.segmentBytes() >= IDLE_BYTES_MIN && isPast(lastWriteMillis, roll.idle());
    return heldBytes > 0 && (idle || isPast(firstWriteMillis, roll.age()));
  }

  /** Whether a time has passed. If the clock was set back, it counts as passed, once. */
  private boolean isPast(long sinceMillis, Duration time) {
    long wentBy = clock.millis() - sinceMillis;
    return wentBy >= time.toMillis() || wentBy < 0;
  }

  private void endSegment(long ended) {
    endedSegments.ended(ended, heldBytes);
    heldBytes = 0;
  }

  /** Finishes the commands in the queue; later ones are refused. */
  @Override
  public void close() {
    LogCommand.Stop stop = new LogCommand.Stop(new CompletableFuture<>());
    if (!offer(stop)) {
      return;
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
