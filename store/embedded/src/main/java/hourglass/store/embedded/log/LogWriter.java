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
 * The one thread that writes the commit log. All that waits goes out with one force; then it
 * becomes visible, then it is acknowledged. Thread-safe. The queue is bounded by the memory budget.
 */
public final class LogWriter implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

  /** A group this large costs more in delay than it saves in forces. */
  private static final long GROUP_BYTES_MAX = 8 << 20;

  /** An idle segment below this is left to grow: a flush of less would make many small pages. */
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

  // The log's thread's own.
  private boolean groupFailed;
  private long heldBytes;
  private long firstWriteMillis;
  private long lastWriteMillis;

  /** Takes the segments that are written no more. Called by the log's thread. */
  public interface EndedSegments {
    /**
     * A segment has ended, and can be flushed.
     *
     * @param bytes of the memory budget that its columns hold
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
   * Appends columns; completes once they are durable and visible. Takes its bytes from the budget.
   *
   * @param known which of them were there before
   * @throws hourglass.store.OverloadedException if they do not fit
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

  /** Has a command done; fails if the log is closed. */
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
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
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

  /** Waits for a command and takes what else is there. */
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
      groupFailed = true; // until it is forced, or nothing was appended
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
      if (!(command instanceof LogCommand.Roll)) { // whose work is yet to come
        command.done().complete(null);
      }
    }
  }

  private static long noteBytes(List<LogCommand> group) {
    return group.stream()
        .mapToLong(command -> command instanceof LogCommand.Write write ? write.noteBytes() : 0)
        .sum();
  }

  /** From here on columns before the returned tick are late. */
  private long beginsToSettle(List<LogCommand> group) {
    if (group.stream().anyMatch(LogCommand.Write.class::isInstance)) {
      return settling.begin();
    }
    // Commands come all the time: so a clock that was set back is noticed where nothing is written.
    settling.clockBehind();
    return Long.MIN_VALUE;
  }

  /** In the same group as the columns: a note without them, or the other way round, never is. */
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
   * Refuses a write of an hour that cannot be loaded, or of one row too many, before it is in the
   * log.
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

  /** What a failed force has left on disk is unknown: nothing is ever written behind it. */
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
    log.warn("commit log: a write failed, and is not acknowledged: {}", e.toString());
    for (LogCommand command : group) {
      if (!command.done().isDone() && command instanceof LogCommand.Write write) {
        budget.release(write.reservedBytes()); // before it is told, so that a second try fits
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
    } catch (IOException | RuntimeException e) {
      log.warn("commit log: no new segment can be begun, the old one grows: {}", e.toString());
    }
  }

  private boolean isDue(LogCommand.Roll roll) {
    boolean idle =
        commitLog.segmentBytes() >= IDLE_BYTES_MIN && isPast(lastWriteMillis, roll.idle());
    return heldBytes > 0 && (idle || isPast(firstWriteMillis, roll.age()));
  }

  /** If the clock was set back, the time counts as past, once. */
  private boolean isPast(long sinceMillis, Duration time) {
    long wentBy = clock.millis() - sinceMillis;
    return wentBy >= time.toMillis() || wentBy < 0;
  }

  private void endSegment(long ended) {
    endedSegments.ended(ended, heldBytes);
    heldBytes = 0;
  }

  /** Finishes what was taken; later calls are refused. */
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
      log.warn("commit log: its end cannot be written down: {}", e.toString());
    }
    QuietClose.quietly(commitLog);
  }
}
