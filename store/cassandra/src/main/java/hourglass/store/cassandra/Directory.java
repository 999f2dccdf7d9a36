package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import hourglass.store.RowEntry.Mark;
import hourglass.store.cassandra.DirectoryTable.StoredRow;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.Seal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the entries of rows from the records of their writers.
 *
 * <p>For rows of this process, the state in memory replaces the stored record. An open record of
 * another process is a bound: its counts are maxima, and names may be anywhere in the hour. It gets
 * a new mark for every reader, so that no reader caches the row. Once {@code sealAfter} has passed
 * since the hour's end and since the record was written, the stored mark is valid. Thread-safe.
 */
final class Directory {
  private static final int FACTS_MAX = 50_000;

  private final HourStates hours;
  private final OwnRows own;
  private final Clock clock;
  private final Duration sealAfter;

  /** The recent facts of rows, kept since a slice often follows a read of the directory. */
  private final RecentCache<RowKey, Fact> facts;

  /**
   * The last mark for an open record. These marks are unique and below 0; those of writers are
   * above 0.
   */
  private final AtomicLong temporaryMarks = new AtomicLong();

  Directory(
      HourStates hours,
      OwnRows own,
      Clock clock,
      LongSupplier nanoTime,
      Duration trustFor,
      Duration sealAfter) {
    this.hours = hours;
    this.own = own;
    this.clock = clock;
    this.facts = new RecentCache<>(FACTS_MAX, trustFor, nanoTime);
    this.sealAfter = sealAfter;
  }

  /**
   * The facts that are needed to read a row.
   *
   * @param classes the retention classes whose tables contain columns of the row
   * @param longest an upper bound of the length of a stored value, in bytes
   * @param seal the last seal; null if the row has no pages
   */
  record Fact(Set<String> classes, int longest, @Nullable Seal seal) {
    /** The class whose table contains the whole row; null if several contain parts of it. */
    @Nullable RetentionClass only() {
      if (seal != null && seal.isWhole()) {
        return seal.retentionClass();
      }
      RetentionClass only =
          classes.size() == 1 ? RetentionClass.parse(classes.iterator().next()) : null;
      return only != null && (seal == null || seal.retentionClass().equals(only)) ? only : null;
    }

    Fact with(Fact other) {
      Set<String> all = new HashSet<>(classes);
      all.addAll(other.classes);
      Seal newer =
          seal == null || other.seal != null && other.seal.number() > seal.number()
              ? other.seal
              : seal;
      return new Fact(Set.copyOf(all), Math.max(longest, other.longest), newer);
    }
  }

  /**
   * An entry with data that only this engine uses.
   *
   * @param manifestMicros the write timestamp of the manifest, which is the number of its seal; 0
   *     if there is none
   * @param hasLeftovers whether columns that are in the pages are also stored apart
   */
  record Found(
      int generation,
      RowEntry entry,
      Fact fact,
      long lastWrittenMillis,
      long manifestMicros,
      boolean hasLeftovers) {}

  /** Whether columns of a dropped generation may still be stored. */
  CompletionStage<Boolean> isDropUnfinished(Hour hour) {
    return hours.of(hour).thenApply(state -> state.oldest() < state.generation());
  }

  /** Returns the same by the newest state of the hour. */
  CompletionStage<Boolean> isDropUnfinishedNow(Hour hour) {
    return hours.refresh(hour).thenApply(state -> state.oldest() < state.generation());
  }

  /** Returns the rows of an hour, sorted by key. */
  CompletionStage<List<Found>> rows(Tables tables, Hour hour) {
    return hours.of(hour).thenCompose(state -> rows(tables.directory(), hour, state.generation()));
  }

  CompletionStage<List<Found>> rows(DirectoryTable table, Hour hour, int generation) {
    long sinceNanos = facts.nanoTime(); // before the request, to never understate the age
    return table
        .rows(hour, generation)
        .thenApply(
            rows ->
                rows.stream()
                    .filter(row -> !row.writers.isEmpty())
                    .map(row -> found(row, generation, sinceNanos))
                    .toList());
  }

  /** Looks up a row; null if there is none. */
  CompletionStage<@Nullable Found> row(Tables tables, RowKey key) {
    return hours.of(key.hour()).thenCompose(state -> row(tables, key, state.generation()));
  }

  private CompletionStage<@Nullable Found> row(Tables tables, RowKey key, int generation) {
    long sinceNanos = facts.nanoTime();
    return tables
        .directory()
        .row(key, generation)
        .thenApply(row -> row.writers.isEmpty() ? null : found(row, generation, sinceNanos));
  }

  /**
   * Returns the facts of a row, from memory after a recent look-up; null if there is no row. A row
   * with pages is looked up each time: only the directory shows whether there was a late write
   * since they were made.
   */
  CompletionStage<@Nullable Fact> fact(Tables tables, RowKey key) {
    Fact recent = facts.get(key);
    return recent != null && recent.seal() == null
        ? CompletableFuture.completedFuture(recent)
        : row(tables, key).thenApply(found -> found == null ? null : found.fact());
  }

  private Found found(StoredRow row, int generation, long sinceNanos) {
    Hour hour = row.row.hour();
    long endMillis = hour.end().toEpochMilli();
    long columns = 0;
    long columnsAhead = 0;
    long bytes = 0;
    long writtenMillis = 0;
    int longest = 0;
    TimeUuid first = TimeUuid.first(hour.endTicks());
    TimeUuid last = TimeUuid.first(hour.startTicks());
    Set<String> classes = new HashSet<>();
    List<Mark> marks = new ArrayList<>();
    for (WriterRecord stored : row.writers) {
      WriterRecord record = newest(row.row, generation, stored);
      columns += record.columns();
      columnsAhead += record.columnsAhead();
      bytes += record.bytes();
      longest = Math.max(longest, record.longest());
      writtenMillis = Math.max(writtenMillis, record.writtenMillis());
      classes.add(record.retentionClass());
      TimeUuid recordFirst = record.open() ? TimeUuid.first(hour.startTicks()) : record.first();
      TimeUuid recordLast = record.open() ? lastName(hour) : record.last();
      first = recordFirst.compareTo(first) < 0 ? recordFirst : first;
      last = recordLast.compareTo(last) > 0 ? recordLast : last;
      long openFrom = Math.max(endMillis, record.writtenMillis());
      boolean mayGrow = record.open() && clock.millis() - openFrom < sealAfter.toMillis();
      long mark = mayGrow ? temporaryMarks.decrementAndGet() : record.mark();
      marks.add(new Mark(record.writer(), mark));
    }
    marks.sort(Comparator.comparing(Mark::writer));
    Manifest manifest = row.manifest;
    RowEntry bounds =
        new RowEntry(row.row, columns, bytes, first, last, manifest, columnsAhead, marks, null);
    RetentionClass pages = row.pages;
    Seal seal =
        pages == null || manifest == null
            ? null
            : new Seal(row.manifestMicros, pages, manifest.columns(), bounds.sealed());
    Fact fact = new Fact(Set.copyOf(classes), longest, seal);
    facts.merge(row.row, fact, sinceNanos, Fact::with); // look-ups may finish in either order
    return new Found(
        generation, exact(bounds), fact, writtenMillis, row.manifestMicros, row.hasLeftovers);
  }

  /** Returns the entry with the exact values of its manifest, if the manifest is still valid. */
  private static RowEntry exact(RowEntry entry) {
    Manifest manifest = entry.manifest();
    return manifest == null || !entry.sealed()
        ? entry
        : new RowEntry(
            entry.row(),
            manifest.columns(),
            manifest.bytes(),
            manifest.first(),
            manifest.last(),
            manifest,
            entry.marks());
  }

  private WriterRecord newest(RowKey row, int generation, WriterRecord stored) {
    OwnRow mine = own.find(row, generation, stored);
    WriterRecord now = mine == null ? null : mine.now(stored.writtenMillis());
    return now == null ? stored : now;
  }

  /** Returns the greatest name that a column of an hour may have. */
  static TimeUuid lastName(Hour hour) {
    return new TimeUuid(hour.endTicks() - 1, 0x7f7f7f7f7f7f7f7fL);
  }
}
