package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that this process writes to, and when the directory hears of them. A row that was not
 * written for a while is forgotten; written again, it gets a writer of another name, since a writer
 * must never tell less than it told before. Thread-safe.
 */
final class OwnRows {
  private static final Logger log = LoggerFactory.getLogger(OwnRows.class);

  /** Rows remembered, about 300 bytes each. */
  private static final int ROWS_MAX = 50_000;

  private final Clock clock;
  private final Duration publishAge;
  private final OwnRow.Teller teller;

  /** Different in every start of every process. */
  private final String process = Long.toUnsignedString(new SecureRandom().nextLong(), 36);

  private final Map<OwnRow.Key, OwnRow> rows = new LinkedHashMap<>(16, 0.75f, true);
  private int forgotten;

  /**
   * Rows of which the directory does not know all, and their marks when they were last looked at.
   */
  private final Map<OwnRow, Long> unsettled = new ConcurrentHashMap<>();

  OwnRows(Clock clock, Duration publishAge, OwnRow.Teller teller) {
    this.clock = clock;
    this.publishAge = publishAge;
    this.teller = teller;
  }

  /** The row to add columns to. */
  synchronized OwnRow of(RowKey row, int generation, RetentionClass retentionClass) {
    OwnRow own =
        rows.computeIfAbsent(
            new OwnRow.Key(row, generation, retentionClass.name()),
            key -> new OwnRow(row, generation, retentionClass, process + "-" + forgotten));
    forgetEldest();
    return own;
  }

  private void forgetEldest() {
    while (rows.size() > ROWS_MAX) {
      rows.remove(rows.keySet().iterator().next());
      forgotten++; // a row that comes back gets a new writer
    }
  }

  /** What this process knows of a record that it wrote itself; null if it did not, or forgot. */
  @Nullable OwnRow find(RowKey row, int generation, WriterRecord record) {
    if (!record.writer().startsWith(process)) {
      return null;
    }
    OwnRow own = peek(new OwnRow.Key(row, generation, record.retentionClass()));
    return own != null && own.writer().equals(record.writer()) ? own : null;
  }

  private synchronized @Nullable OwnRow peek(OwnRow.Key key) {
    return rows.get(key);
  }

  /**
   * Sees to it that the directory has a row before it has columns, and a mark of a late write
   * before it is there: a process that dies in between leaves nothing that nobody would look for.
   *
   * @return whether the columns were added, which is only done where the directory must be told
   */
  CompletableFuture<Boolean> announce(OwnRow row, Columns coming) {
    boolean over = isOver(row.row().hour());
    if (!over && row.isTold()) {
      return CompletableFuture.completedFuture(false);
    }
    row.add(coming, over);
    unsettled.putIfAbsent(row, 0L);
    return row.tell(teller, !over, clock.millis()).thenApply(done -> true);
  }

  /**
   * Sees to it that the directory knows enough of a row for a write to be acknowledged.
   *
   * @param announced whether the columns were added by {@link #announce}
   */
  CompletableFuture<Void> cover(OwnRow row, Columns written, boolean announced) {
    boolean over = isOver(row.row().hour());
    boolean covered = announced ? row.addedBefore(over) : row.add(written, over);
    unsettled.putIfAbsent(row, 0L);
    return covered
        ? CompletableFuture.completedFuture(null)
        : row.tell(teller, !over, clock.millis());
  }

  /** Columns may have been written, though nobody knows: counted, and told some time. */
  void perhaps(OwnRow row, Columns written, boolean announced) {
    if (announced) {
      row.addedBefore(false);
    } else {
      row.add(written, false);
    }
    unsettled.putIfAbsent(row, 0L);
  }

  boolean isOver(Hour hour) {
    return !clock.instant().isBefore(hour.end());
  }

  /**
   * Tells what should be told by now: all of a row that nobody wrote to since the last look, and
   * bounds of one that is written all the time, at their age.
   */
  void look() {
    unsettled.forEach(
        (row, markBefore) -> {
          long mark = row.mark();
          if (row.settled()) {
            unsettled.remove(row, markBefore);
            if (!row.settled()) { // written to just now
              unsettled.putIfAbsent(row, mark);
            }
          } else if (mark == markBefore) {
            tell(row, false);
          } else {
            unsettled.replace(row, markBefore, mark);
            if (clock.millis() - row.toldMillis() >= publishAge.toMillis()) {
              tell(row, !isOver(row.row().hour()));
            }
          }
        });
  }

  private void tell(OwnRow row, boolean open) {
    var unused =
        row.tell(teller, open, clock.millis())
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    log.debug("{}: not told to the directory, tried again: {}", row.row(), failure);
                  }
                });
  }

  /** Tells the directory everything that was added before this call. */
  CompletableFuture<Void> settleAll() {
    List<CompletableFuture<Void>> tellings = new ArrayList<>();
    for (OwnRow row : unsettled.keySet()) {
      if (!row.settled()) {
        tellings.add(row.tell(teller, false, clock.millis()));
      }
    }
    return CompletableFuture.allOf(tellings.toArray(new CompletableFuture<?>[0]));
  }

  /** An hour was dropped: what was written to it is gone. */
  synchronized void forget(Hour hour, int belowGeneration) {
    rows.values()
        .removeIf(row -> row.row().hour().equals(hour) && row.generation() < belowGeneration);
    unsettled
        .keySet()
        .removeIf(row -> row.row().hour().equals(hour) && row.generation() < belowGeneration);
    forgotten++;
  }

  int unsettledRows() {
    return unsettled.size();
  }
}
