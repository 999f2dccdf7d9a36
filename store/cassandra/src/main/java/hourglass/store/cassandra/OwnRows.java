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
 * The rows that this process writes to, and the schedule of their directory records. Rows without
 * recent writes are evicted. An evicted row gets a new writer name when it returns, since the
 * counts of a writer must never shrink. Thread-safe.
 */
final class OwnRows {
  private static final Logger log = LoggerFactory.getLogger(OwnRows.class);

  /** Limit of rows in memory, about 300 bytes each. */
  private static final int ROWS_MAX = 50_000;

  private final Clock clock;
  private final Duration publishAge;
  private final OwnRow.Teller teller;

  /** Unique to each start of a process. */
  private final String process = Long.toUnsignedString(new SecureRandom().nextLong(), 36);

  private final Map<OwnRow.Key, OwnRow> rows = new LinkedHashMap<>(16, 0.75f, true);
  private int forgotten;

  /** Rows without an exact directory record, with their marks at the last check. */
  private final Map<OwnRow, Long> unsettled = new ConcurrentHashMap<>();

  OwnRows(Clock clock, Duration publishAge, OwnRow.Teller teller) {
    this.clock = clock;
    this.publishAge = publishAge;
    this.teller = teller;
  }

  /** The row to add columns to, created if missing. */
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
      forgotten++; // a returning row gets a new writer name
    }
  }

  /**
   * The state in memory behind a stored record; null if another process wrote it, or after
   * eviction.
   */
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
   * Publishes a row before its first column, and the mark of a late write before its columns. A
   * crash in between thus leaves no column that readers would miss.
   *
   * @return whether the columns were added here, which happens only if a record was needed
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
   * Ensures that the directory covers a write before its acknowledgement.
   *
   * @param announced whether {@link #announce} added the columns
   */
  CompletableFuture<Void> cover(OwnRow row, Columns written, boolean announced) {
    boolean over = isOver(row.row().hour());
    boolean covered = announced ? row.addedBefore(over) : row.add(written, over);
    unsettled.putIfAbsent(row, 0L);
    return covered
        ? CompletableFuture.completedFuture(null)
        : row.tell(teller, !over, clock.millis());
  }

  /**
   * Counts columns of a failed write, which may be stored nevertheless; a later check publishes
   * them.
   */
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
   * Publishes records that are due. A row without writes since the last check gets an exact record.
   * A busy row gets bounds once its record is {@code publishAge} old.
   */
  void look() {
    unsettled.forEach(
        (row, markBefore) -> {
          long mark = row.mark();
          if (row.settled()) {
            unsettled.remove(row, markBefore);
            if (!row.settled()) { // a write intervened
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

  /** Publishes all columns added before this call. */
  CompletableFuture<Void> settleAll() {
    List<CompletableFuture<Void>> tellings = new ArrayList<>();
    for (OwnRow row : unsettled.keySet()) {
      if (!row.settled()) {
        tellings.add(row.tell(teller, false, clock.millis()));
      }
    }
    return CompletableFuture.allOf(tellings.toArray(new CompletableFuture<?>[0]));
  }

  /** Forgets the rows of a dropped hour. */
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
