package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state of a row in this process, and its published record in the directory.
 *
 * <p>During the hour, the record may lag by a bounded amount. It is then open: its bounds allow for
 * later columns, and writes within them need no new record. A write beyond the bounds, or after the
 * end of the hour, publishes a record before its acknowledgement. Thread-safe.
 */
final class OwnRow {
  /** The least allowance for unpublished columns; the next is that for payload bytes. */
  private static final long SPARE_COLUMNS = 64;

  private static final long SPARE_BYTES = 64 << 10;

  /** The shift that gives the allowance of a large row: an eighth of the current size. */
  private static final int SPARE_SHIFT = 3;

  /**
   * The least bound on the length of a stored value. Readers may meet a longer value before its
   * bound is published, and then read more at once than they intend.
   */
  private static final int LONGEST_MIN = 8 << 10;

  private final RowKey row;
  private final int generation;
  private final RetentionClass retentionClass;
  private final String writer;

  /** The columns of this process in the row. */
  private final Totals totals = new Totals();

  private long mark;

  /** The record in the directory; null if it is uncertain. */
  private @Nullable WriterRecord published;

  private CompletableFuture<Void> publication = CompletableFuture.completedFuture(null);

  /** The next publication, which has not read the row yet. */
  private @Nullable CompletableFuture<Void> queued;

  OwnRow(RowKey row, int generation, RetentionClass retentionClass, String writer) {
    this.row = row;
    this.generation = generation;
    this.retentionClass = retentionClass;
    this.writer = writer;
  }

  private static final class Totals {
    private long columns;
    private long bytes;
    private @Nullable TimeUuid first;
    private @Nullable TimeUuid last;

    /** A bound on the length of a stored value. */
    private int longest;

    void add(Columns added) {
      columns += added.size();
      bytes += added.payloadBytes();
      first = first == null || added.first().compareTo(first) < 0 ? added.first() : first;
      last = last == null || added.last().compareTo(last) > 0 ? added.last() : last;
    }

    void widen(Hour hour) {
      if (first != null) {
        first = TimeUuid.first(hour.startTicks());
        last = Directory.lastName(hour);
      }
    }

    boolean areWithin(WriterRecord bounds) {
      return columns <= bounds.columns() && bytes <= bounds.bytes() && longest <= bounds.longest();
    }
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
   * Adds columns that are durable, or may become so. Returns whether the published record includes
   * them.
   *
   * @param mayBeCovered whether the published record is still valid, if it is open
   */
  synchronized boolean add(Columns added, boolean mayBeCovered) {
    totals.add(added);
    return addAgain(mayBeCovered);
  }

  /** Replaces the first and last name, which may have been erased, by the ends of the hour. */
  synchronized void forgetNames() {
    totals.widen(row.hour());
  }

  /** Raises the bound on stored values. */
  synchronized void addLongest(int value) {
    totals.longest = Math.max(totals.longest, value);
  }

  /**
   * Marks a write again that was added before it was durable, so that caches filled in between
   * become invalid. Returns the same as {@link #add}.
   */
  synchronized boolean addAgain(boolean mayBeCovered) {
    mark++;
    WriterRecord bounds = published;
    return mayBeCovered && bounds != null && bounds.open() && totals.areWithin(bounds);
  }

  /** Whether the directory certainly has a record of this writer. */
  synchronized boolean isListed() {
    return published != null;
  }

  synchronized boolean isOpen() {
    return published != null && published.open();
  }

  /** The mark of this writer, which increases with every write. */
  synchronized long mark() {
    return mark;
  }

  synchronized boolean isExact() {
    return published != null && !published.open() && published.mark() == mark && queued == null;
  }

  /** The time of the last certain record, in milliseconds since 1970; 0 if it is uncertain. */
  synchronized long publishedMillis() {
    return published == null ? 0 : published.writtenMillis();
  }

  /** Returns an exact record; null before the first column. */
  synchronized @Nullable WriterRecord now(long nowMillis) {
    return record(false, nowMillis);
  }

  private @Nullable WriterRecord record(boolean open, long nowMillis) {
    TimeUuid first = totals.first;
    TimeUuid last = totals.last;
    if (first == null || last == null) {
      return null;
    }
    long spareColumns = open ? Math.max(SPARE_COLUMNS, totals.columns >> SPARE_SHIFT) : 0;
    long spareBytes = open ? Math.max(SPARE_BYTES, totals.bytes >> SPARE_SHIFT) : 0;
    int longest = Integer.highestOneBit(Math.max(1, totals.longest - 1)) << 1;
    return new WriterRecord(
        writer,
        retentionClass.name(),
        mark,
        totals.columns + spareColumns,
        totals.bytes + spareBytes,
        first,
        last,
        Math.max(LONGEST_MIN, longest),
        open,
        nowMillis);
  }

  static long spareIn(long columnsBound) {
    // If a row has 8k + r columns, with r below 8, its bound is 9k + r.
    return Math.max(SPARE_COLUMNS, columnsBound / ((1 << SPARE_SHIFT) + 1));
  }

  interface Publisher {
    CompletionStage<Void> publish(OwnRow row, WriterRecord record);
  }

  /**
   * Publishes all columns added before this call. Publications run one after another, and callers
   * that wait for the next one share it.
   *
   * @param open whether the record allows for later columns; a shared publication keeps the value
   *     of its first caller
   */
  synchronized CompletableFuture<Void> publish(Publisher publisher, boolean open, long nowMillis) {
    if (queued != null) {
      return queued;
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = publication;
    queued = mine;
    publication = mine;
    var unused = before.whenComplete((done, failure) -> begin(mine, publisher, open, nowMillis));
    return mine;
  }

  private void begin(
      CompletableFuture<Void> mine, Publisher publisher, boolean open, long nowMillis) {
    WriterRecord record;
    synchronized (this) {
      queued = null;
      record = record(open, nowMillis);
      // Columns that are added from here on may be missing in this record.
      published = open ? published : null;
    }
    if (record == null) {
      mine.complete(null);
      return;
    }
    var unused =
        Futures.call(() -> publisher.publish(this, record))
            .whenComplete(
                (done, failure) -> {
                  synchronized (this) {
                    published = failure == null ? record : null;
                  }
                  Futures.complete(mine, null, failure);
                });
  }
}
