package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.RowEntry.Mark;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.rows.ErasedParts;
import hourglass.store.cassandra.rows.PacksTable;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.Seal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Removes erased columns from the tables of a row. First the row gets pages without them, sealed or
 * not, and later what has them is deleted. Blocks; used by one thread.
 *
 * @param nanoTime must be monotonic
 * @param ahead a bound of the time that clocks of processes differ by, and at first of that to seal
 *     a row
 */
record RowEraser(
    Directory directory, SealWriter sealer, Clock clock, LongSupplier nanoTime, Duration ahead) {
  /** The writer of the mark that changes with each erasure; names of processes contain a hyphen. */
  private static final String MARKER = "erased";

  /** How often a row may be sealed or dropped by others meanwhile. */
  private static final int REPLACED_MAX = 5;

  /**
   * Gives a row other marks, and pages without erased columns. The number of their seal is greater
   * than that of any sealer which began before the pages are named: their clocks are at most {@code
   * ahead}, and the number is ahead by that and by the time that this may take. A row that takes
   * longer gets twice the time at the next attempt.
   */
  void reseal(Tables tables, RowKey key) {
    requireNoDrop(key.hour());
    Duration margin = ahead.multipliedBy(2);
    for (int times = 0; times < REPLACED_MAX; times++) {
      long timeNanos = margin.minus(ahead).toNanos();
      Directory.Found seen = await(directory.row(tables, key));
      if (seen == null) {
        return; // dropped, or over
      }
      mark(tables, seen);
      Directory.Found row = await(directory.row(tables, key));
      if (row == null) {
        return;
      }
      long sinceNanos = nanoTime.getAsLong();
      long number =
          SealWriter.number(
              clock.millis() * 1000 + margin.toMillis() * 1000,
              row.manifestMicros() + 4 * SealWriter.RANDOM);
      SealWriter.Outcome outcome =
          sealer.seal(tables, row, number, () -> nanoTime.getAsLong() - sinceNanos < timeNanos);
      if (outcome == SealWriter.Outcome.SEALED && isSeal(tables, key, number)) {
        return;
      }
      if (outcome == SealWriter.Outcome.EMPTY && !sealer.isReplaced(tables, row)) {
        await(tables.directory().unseal(key, row.generation(), number));
        return;
      }
      boolean isLate = nanoTime.getAsLong() - sinceNanos >= timeNanos;
      if (isLate || outcome == SealWriter.Outcome.SEALED) {
        margin = margin.multipliedBy(2);
      }
    }
    throw new UnavailableException(
        key + ": sealed by others again and again, or in more than " + margin);
  }

  /**
   * Fails if a drop of an hour is not finished, whose columns no look-up finds. One that begins
   * later has only columns that were found before.
   */
  void requireNoDrop(Hour hour) {
    if (await(directory.isDropUnfinishedNow(hour))) {
      throw new IllegalStateException(
          hour + ": a drop of it is not finished; if it was interrupted, drop it again");
    }
  }

  /**
   * Whether a seal counts. One with a smaller number than that of the removal of an earlier seal
   * has no effect.
   */
  private boolean isSeal(Tables tables, RowKey key, long number) {
    Directory.Found row = await(directory.row(tables, key));
    return row == null || row.manifestMicros() >= number;
  }

  /** Changes the marks of a row, so that nothing that was cached under them is used again. */
  private void mark(Tables tables, Directory.Found row) {
    RowKey key = row.entry().row();
    long before =
        row.entry().marks().stream()
            .filter(mark -> mark.writer().equals(MARKER))
            .mapToLong(Mark::value)
            .findAny()
            .orElse(0);
    long millis = clock.millis();
    RetentionClass kept = SealWriter.longestKept(row.fact().classes());
    WriterRecord record =
        new WriterRecord(
            MARKER,
            kept.name(),
            Math.max(before + 1, millis),
            0,
            0,
            // It has no columns: these bounds do not change those of the row.
            TimeUuid.first(key.hour().endTicks()),
            TimeUuid.first(key.hour().startTicks()),
            0,
            false,
            millis);
    await(tables.directory().replace(key, row.generation(), record, kept));
  }

  /** Returns all rows of type hours, sorted. */
  List<RowKey> of(Tables tables, Set<TypeHour> typeHours) {
    Set<Hour> hours = new TreeSet<>();
    typeHours.forEach(typeHour -> hours.add(typeHour.hour()));
    List<RowKey> rows = new ArrayList<>();
    for (Hour hour : hours) {
      await(directory.rows(tables, hour)).stream()
          .map(found -> found.entry().row())
          .filter(row -> typeHours.contains(row.typeHour()))
          .forEach(rows::add);
    }
    return rows;
  }

  /**
   * Returns whether a pack or a page of a row has erased columns, whether readers know it or not.
   */
  boolean hasErased(Tables tables, RowKey key, ErasedParts erased) {
    Directory.Found row = await(directory.row(tables, key));
    return row != null
        && tablesOf(tables, row).stream().anyMatch(table -> await(table.hasErased(key, erased)));
  }

  private static List<PacksTable> tablesOf(Tables tables, Directory.Found row) {
    Seal seal = row.fact().seal();
    Set<String> classes = new TreeSet<>(row.fact().classes());
    if (seal != null) {
      classes.add(seal.retentionClass().name());
    }
    return classes.stream().map(name -> await(tables.packs(name))).toList();
  }

  /** Deletes what has erased columns. Every reader must know the pages that replace it. */
  void clean(Tables tables, RowKey key, ErasedParts erased) {
    Directory.Found row = await(directory.row(tables, key));
    if (row == null) {
      return;
    }
    Seal seal = row.fact().seal();
    List<PacksTable> all = tablesOf(tables, row);
    for (PacksTable table : all) {
      PacksTable sealed = seal == null ? table : await(tables.packs(seal.retentionClass()));
      await(table.deleteErasedPacks(key, row.generation(), erased, seal, sealed));
    }
    for (PacksTable table : all) {
      await(table.deleteErasedPages(key, row.generation(), erased, seal));
    }
  }

  /** Removes erased names from the bounds of a row. */
  void forgetBounds(Tables tables, RowKey key, Columns names) {
    Directory.Found row = await(directory.row(tables, key));
    if (row == null) {
      return;
    }
    for (WriterRecord record : await(tables.directory().row(key, row.generation())).writers) {
      if (has(names, record.first()) || has(names, record.last())) {
        await(tables.directory().widen(key, row.generation(), record));
      }
    }
  }

  private static boolean has(Columns names, TimeUuid name) {
    return names.contains(name.ticks(), name.lsb());
  }

  private static <T> T await(CompletionStage<T> stage) {
    return SealWriter.await(stage);
  }
}
