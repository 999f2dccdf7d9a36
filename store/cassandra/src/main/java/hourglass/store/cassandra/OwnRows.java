package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows to which this process writes, and the schedule of their directory records. Rows without
 * recent writes are evicted. An evicted row returns under a new writer name, since the counts of a
 * writer must never shrink. Thread-safe.
 */
final class OwnRows {
  private static final Logger logger = LoggerFactory.getLogger(OwnRows.class);

  /** The most rows in memory, about 300 bytes each. */
  private static final int ROWS_MAX = 50_000;

  private record Key(RowKey row, int generation, String retentionClass) {}

  private final Clock clock;
  private final Duration publishAge;

  /** How long an open record covers writes to an hour that is over. */
  private final Duration openFor;

  private final OwnRow.Publisher publisher;

  /** The name of this process, which differs for each start. */
  private final String process = Long.toUnsignedString(new SecureRandom().nextLong(), 36);

  private final Map<Key, OwnRow> rows = new LinkedHashMap<>(16, 0.75f, true);
  private int evictions;

  /** Rows without an exact directory record, with their marks at the last check. */
  private final Map<OwnRow, Long> inexact = new ConcurrentHashMap<>();

  OwnRows(Clock clock, Duration publishAge, Duration openFor, OwnRow.Publisher publisher) {
    this.clock = clock;
    this.publishAge = publishAge;
    this.openFor = openFor;
    this.publisher = publisher;
  }

  synchronized OwnRow of(RowKey row, int generation, RetentionClass retentionClass) {
    OwnRow own =
        rows.computeIfAbsent(
            new Key(row, generation, retentionClass.name()),
            key -> new OwnRow(row, generation, retentionClass, process + "-" + evictions));
    while (rows.size() > ROWS_MAX) {
      rows.remove(rows.keySet().iterator().next());
      evictions++; // a new writer name for a returning row
    }
    return own;
  }

  /** Finds the row of a record; null if another process wrote the record, or after eviction. */
  @Nullable OwnRow find(RowKey row, int generation, WriterRecord record) {
    if (!record.writer().startsWith(process)) {
      return null;
    }
    OwnRow own;
    synchronized (this) {
      own = rows.get(new Key(row, generation, record.retentionClass()));
    }
    return own != null && own.writer().equals(record.writer()) ? own : null;
  }

  /**
   * Publishes a row before its first column. In an hour that is over, it also publishes before a
   * write that no recent open record covers. So a crash in between leaves no column that readers
   * would miss. Returns whether the columns were added here, which happens only if a record was
   * needed.
   */
  CompletableFuture<Boolean> beforeWrite(OwnRow row, Columns columns) {
    if (row.isListed() && mayBeCovered(row)) {
      return CompletableFuture.completedFuture(false);
    }
    row.add(columns, false);
    inexact.putIfAbsent(row, 0L);
    return row.publish(publisher, mayBeOpen(row), clock.millis()).thenApply(done -> true);
  }

  CompletableFuture<Void> afterWrite(OwnRow row, Columns columns, boolean added) {
    return add(row, columns, added, mayBeCovered(row))
        ? CompletableFuture.completedFuture(null)
        : row.publish(publisher, mayBeOpen(row), clock.millis());
  }

  /** Counts columns of a failed write, which may be stored; a later check publishes them. */
  void afterFailure(OwnRow row, Columns columns, boolean added) {
    add(row, columns, added, true);
  }

  private boolean add(OwnRow row, Columns columns, boolean added, boolean mayBeCovered) {
    boolean included = added ? row.addAgain(mayBeCovered) : row.add(columns, mayBeCovered);
    inexact.putIfAbsent(row, 0L);
    return included;
  }

  private boolean isOver(Hour hour) {
    return !clock.instant().isBefore(hour.end());
  }

  /** Whether a record that is published now may allow for later columns. */
  private boolean mayBeOpen(OwnRow row) {
    return !openFor.isZero() || !isOver(row.row().hour());
  }

  /**
   * Whether the record in the directory is still open for every reader: until some time after the
   * end of the hour, or after its publication.
   */
  private boolean mayBeCovered(OwnRow row) {
    return !isOver(row.row().hour())
        || clock.millis() - row.publishedMillis() < openFor.toMillis() && row.isOpen();
  }

  /**
   * Publishes rows that need it. A row without writes since the last check gets an exact record. A
   * busy row gets bounds once its record is {@code publishAge} old.
   */
  void publishDue() {
    inexact.forEach(
        (row, markBefore) -> {
          long mark = row.mark();
          if (row.isExact()) {
            inexact.remove(row, markBefore);
            if (!row.isExact()) { // a write intervened
              inexact.putIfAbsent(row, mark);
            }
          } else if (mark == markBefore) {
            publish(row, false);
          } else {
            inexact.replace(row, markBefore, mark);
            if (clock.millis() - row.publishedMillis() >= publishAge.toMillis()) {
              publish(row, mayBeOpen(row));
            }
          }
        });
  }

  private void publish(OwnRow row, boolean open) {
    var unused =
        row.publish(publisher, open, clock.millis())
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    logger.debug(
                        "{}: not published to the directory, tried again: {}", row.row(), failure);
                  }
                });
  }

  CompletableFuture<Void> publishAll() {
    return Futures.allOf(
        inexact.keySet().stream()
            .filter(row -> !row.isExact())
            .map(row -> row.publish(publisher, false, clock.millis())));
  }

  synchronized void forget(Hour hour, int belowGeneration) {
    Predicate<OwnRow> dropped =
        row -> row.row().hour().equals(hour) && row.generation() < belowGeneration;
    rows.values().removeIf(dropped);
    inexact.keySet().removeIf(dropped);
    evictions++;
  }

  /**
   * Lets rows of type hours return under a new writer name, so that the records of this process get
   * no names any more that were erased. Records of writes under way are still published, with the
   * ends of the hour as bounds.
   */
  synchronized void evict(Set<TypeHour> typeHours) {
    Stream.concat(rows.values().stream(), inexact.keySet().stream())
        .filter(own -> typeHours.contains(own.row().typeHour()))
        .forEach(OwnRow::forgetNames);
    if (rows.keySet().removeIf(key -> typeHours.contains(key.row().typeHour()))) {
      evictions++;
    }
  }

  int inexactRows() {
    return inexact.size();
  }
}
