package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What this process wrote to a row, and what it told the directory of that.
 *
 * <p>While the hour runs, a record may lie behind by a bounded amount: it is then told open, with
 * bounds that later columns stay below, and a write that stays below them is acknowledged without
 * another word. A write that does not, or that comes when the hour is over, is told before it is
 * acknowledged. Thread-safe.
 */
final class OwnRow {
  /** Columns that a row may grow by untold, at least. */
  private static final long SPARE_COLUMNS = 64;

  /** Payload bytes that a row may grow by untold, at least. */
  private static final long SPARE_BYTES = 64 << 10;

  /** Or an eighth of what it has. */
  private static final int SPARE_SHIFT = 3;

  /** Below this, payloads are alike. */
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

  /** What the directory has for certain; null: nothing is certain. */
  private @Nullable WriterRecord told;

  /** The telling that is under way or was last. */
  private CompletableFuture<Void> telling = CompletableFuture.completedFuture(null);

  /** The one that comes after it, and has not looked at the row yet. */
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
   * Adds columns that are, or may be, durable.
   *
   * @param hourOver whether the hour was over after they were
   * @return whether what the directory has covers them already
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
   * Counts once more a write that was added before it was durable: whoever looked in between must
   * look again.
   *
   * @return as {@link #add} does
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

  /** Whether the directory has the row from this writer for certain. */
  synchronized boolean isTold() {
    return told != null;
  }

  /** Counts the writes. */
  synchronized long mark() {
    return mark;
  }

  /** Whether the directory knows all of it, exactly. */
  synchronized boolean settled() {
    return told != null && !told.open() && told.mark() == mark && queued == null;
  }

  /** When the directory was told last, milliseconds since 1970; 0 if nothing is certain. */
  synchronized long toldMillis() {
    return told == null ? 0 : told.writtenMillis();
  }

  /** The exact record as of now; null before the first column. */
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

  /** How many columns of a bound were not written when it was told. */
  static long spareIn(long columnsBound) {
    // Of 8k + r columns, r below 8, the bound is 9k + r.
    return Math.max(SPARE_COLUMNS, columnsBound / ((1 << SPARE_SHIFT) + 1));
  }

  /** How a record gets into the directory. */
  interface Teller {
    CompletionStage<Void> tell(OwnRow row, WriterRecord record);
  }

  /**
   * Tells the directory all that was added before this call. Tellings follow one another, and those
   * who wait for the next one share it.
   *
   * @param open whether columns may then be added untold
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
      // From here on a column may be missing in the record that is on its way.
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

  /** The key under which a process keeps its rows. */
  record Key(RowKey row, int generation, String retentionClass) {}

  Key key() {
    return new Key(row, generation, retentionClass.name());
  }
}
