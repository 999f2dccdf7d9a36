package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state of a row in this process, and its published record in the directory.
 *
 * <p>During the hour, the record may lag by a bounded amount. It is then open: its bounds leave
 * room for later columns, and writes within them need no new record. A write beyond the bounds, or
 * after the end of the hour, publishes a record before its acknowledgement. Thread-safe.
 */
final class OwnRow {
  /** Minimum room for unpublished columns. */
  private static final long SPARE_COLUMNS = 64;

  /** Minimum room for unpublished payload bytes. */
  private static final long SPARE_BYTES = 64 << 10;

  /** Or an eighth of the current size, if larger. */
  private static final int SPARE_SHIFT = 3;

  /** Minimum bound on the length of a payload. */
  private static final int LONGEST_MIN = 512;

  private final RowKey row;
  private final int generation;
  private final RetentionClass retentionClass;
  private final String writer;

  private long mark;
  private long columns;
  private long bytes;
  private @Nullable TimeUuid first;
  private @Nullable TimeUuid last;
  private int longest;

  /** The record that the directory certainly has; null if uncertain. */
  private @Nullable WriterRecord told;

  /** The current or last publication. */
  private CompletableFuture<Void> telling = CompletableFuture.completedFuture(null);

  /** The next publication, which has not read the row yet. */
  private @Nullable CompletableFuture<Void> queued;

  OwnRow(RowKey row, int generation, RetentionClass retentionClass, String writer) {
    this.row = row;
    this.generation = generation;
    this.retentionClass = retentionClass;
    this.writer = writer;
  }

  RowKey row() {
    return row;
  }

  int generation() {
    return generation;
  }

  RetentionClass retentionClass() {
    return retentionClass;
  }

  String writer() {
    return writer;
  }

  /**
   * Adds columns that are, or may become, durable.
   *
   * @param hourOver whether the hour has ended
   * @return whether the published record already covers them
   */
  synchronized boolean add(Columns pack, boolean hourOver) {
    mark++;
    columns += pack.size();
    bytes += pack.payloadBytes();
    first = first == null || pack.first().compareTo(first) < 0 ? pack.first() : first;
    last = last == null || pack.last().compareTo(last) > 0 ? pack.last() : last;
    for (int i = 0; i < pack.size(); i++) {
      longest = Math.max(longest, pack.length(i));
    }
    return covers(hourOver);
  }

  /**
   * Counts a write again that was added before it was durable, so that caches filled in between
   * become invalid.
   *
   * @return as for {@link #add}
   */
  synchronized boolean addedBefore(boolean hourOver) {
    mark++;
    return covers(hourOver);
  }

  private boolean covers(boolean hourOver) {
    WriterRecord bounds = told;
    return !hourOver
        && bounds != null
        && bounds.open()
        && columns <= bounds.columns()
        && bytes <= bounds.bytes()
        && longest <= bounds.longest();
  }

  /** Whether the directory certainly has a record of this writer. */
  synchronized boolean isTold() {
    return told != null;
  }

  /** Increases with every write. */
  synchronized long mark() {
    return mark;
  }

  /** Whether the directory has the exact state. */
  synchronized boolean settled() {
    return told != null && !told.open() && told.mark() == mark && queued == null;
  }

  /** Time of the last certain record, milliseconds since 1970; 0 if uncertain. */
  synchronized long toldMillis() {
    return told == null ? 0 : told.writtenMillis();
  }

  /** The exact current record; null before the first column. */
  synchronized @Nullable WriterRecord now(long nowMillis) {
    return record(false, nowMillis);
  }

  private @Nullable WriterRecord record(boolean open, long nowMillis) {
    if (first == null || last == null) {
      return null;
    }
    long spareColumns = open ? Math.max(SPARE_COLUMNS, columns >> SPARE_SHIFT) : 0;
    long spareBytes = open ? Math.max(SPARE_BYTES, bytes >> SPARE_SHIFT) : 0;
    return new WriterRecord(
        writer,
        retentionClass.name(),
        mark,
        columns + spareColumns,
        bytes + spareBytes,
        first,
        last,
        Math.max(LONGEST_MIN, Integer.highestOneBit(Math.max(1, longest - 1)) << 1),
        open,
        nowMillis);
  }

  /** The room for unwritten columns within a published bound. */
  static long spareIn(long columnsBound) {
    // For 8k + r columns, r below 8, the bound is 9k + r.
    return Math.max(SPARE_COLUMNS, columnsBound / ((1 << SPARE_SHIFT) + 1));
  }

  /** Writes a record to the directory. */
  interface Teller {
    CompletionStage<Void> tell(OwnRow row, WriterRecord record);
  }

  /**
   * Publishes all columns added before this call. Publications run one after another, and callers
   * that wait for the next one share it.
   *
   * @param open whether the record leaves room for later columns; a shared publication keeps the
   *     value of its first caller
   */
  synchronized CompletableFuture<Void> tell(Teller teller, boolean open, long nowMillis) {
    if (queued != null) {
      return queued;
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = telling;
    queued = mine;
    telling = mine;
    var unused = before.whenComplete((done, failure) -> begin(mine, teller, open, nowMillis));
    return mine;
  }

  private void begin(CompletableFuture<Void> mine, Teller teller, boolean open, long nowMillis) {
    WriterRecord record;
    synchronized (this) {
      queued = null;
      record = record(open, nowMillis);
      // Columns added from here on may be missing in this record.
      told = open ? told : null;
    }
    if (record == null) {
      mine.complete(null);
      return;
    }
    CompletionStage<Void> asked;
    try {
      asked = teller.tell(this, record);
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    asked.whenComplete(
        (done, failure) -> {
          settle(failure == null ? record : null);
          if (failure == null) {
            mine.complete(null);
          } else {
            mine.completeExceptionally(failure);
          }
        });
  }

  private synchronized void settle(@Nullable WriterRecord certain) {
    told = certain;
  }

  /** Identifies a row of this process. */
  record Key(RowKey row, int generation, String retentionClass) {}

  Key key() {
    return new Key(row, generation, retentionClass.name());
  }
}
