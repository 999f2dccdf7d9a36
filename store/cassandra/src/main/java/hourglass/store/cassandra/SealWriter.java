package hourglass.store.cassandra;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.RowEntry.Mark;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.Sealer.Step;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.rows.PacksTable;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.RowPages;
import hourglass.store.cassandra.rows.Seal;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.HiddenColumns;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals a row. It writes the columns as pages, reads the pages back and compares them with the
 * columns, and names them in the directory under the marks from before the read. The pages never
 * contain erased columns. Blocks; used by one thread.
 *
 * @param erased the erased columns at the moment of the call
 * @param onStep is called after each step
 */
record SealWriter(
    Directory directory, Supplier<CompletionStage<ErasedColumns>> erased, Consumer<Step> onStep) {
  private static final Logger logger = LoggerFactory.getLogger(SealWriter.class);

  /** The columns that are read at once. */
  private static final int SLICE_COLUMNS = 16_384;

  /**
   * The range of the lowest bits of a seal's number, which are random, so that two seals hardly
   * ever have the same number.
   */
  static final long RANDOM = 1 << 10;

  /** The end of an attempt to seal a row. */
  enum Outcome {
    SEALED,

    /** The row has no columns, and no pages were written. */
    EMPTY,

    /** The row was sealed or dropped meanwhile, or this seal may not be named any more. */
    REPLACED
  }

  /**
   * Returns the number of a seal.
   *
   * @param micros its time, microseconds since 1970
   * @param before the number of the last seal of the row; 0 if there is none
   */
  static long number(long micros, long before) {
    return Math.max(micros, before + RANDOM) / RANDOM * RANDOM
        + 1
        + ThreadLocalRandom.current().nextLong(RANDOM - 1);
  }

  /**
   * Seals a row that was just looked up.
   *
   * @param mayName is asked just before the pages are named
   */
  Outcome seal(Tables tables, Directory.Found row, long number, BooleanSupplier mayName) {
    RetentionClass kept = longestKept(row.fact().classes());
    HiddenColumns hidden = await(erased.get()).hidden(row.entry().row());
    Manifest manifest;
    boolean isReplaced;
    try {
      manifest = writePages(tables, row, hidden, kept, number);
      isReplaced = manifest != null && isReplaced(tables, row);
    } catch (RuntimeException e) {
      deletePages(tables, row, kept, number);
      throw e;
    }
    if (manifest == null) {
      return Outcome.EMPTY;
    }
    if (isReplaced || !mayName.getAsBoolean()) {
      deletePages(tables, row, kept, number);
      return Outcome.REPLACED;
    }
    onStep.accept(Step.SEAL_CHECKED);
    await(tables.directory().seal(row.entry().row(), row.generation(), manifest, number, kept));
    return Outcome.SEALED;
  }

  /**
   * Deletes the pages of a seal that was never named. If that fails, the clean-up of the next seal
   * deletes them.
   */
  private static void deletePages(
      Tables tables, Directory.Found row, RetentionClass pages, long number) {
    try {
      await(
          tables
              .packs(pages)
              .thenCompose(
                  table -> table.deletePages(row.entry().row(), row.generation(), number)));
    } catch (RuntimeException e) {
      logger.info("{}: pages of a given up seal stay for now: {}", row.entry().row(), e.toString());
    }
  }

  /**
   * Whether the row was sealed or dropped since its marks were read. Then the other sealer may have
   * deleted packs before they were read here.
   */
  boolean isReplaced(Tables tables, Directory.Found row) {
    Directory.Found now = await(directory.row(tables, row.entry().row()));
    return now == null
        || now.generation() != row.generation()
        || now.manifestMicros() != row.manifestMicros();
  }

  /** Writes the pages of a row. If it has no columns, returns null and writes nothing. */
  private @Nullable Manifest writePages(
      Tables tables,
      Directory.Found row,
      @Nullable HiddenColumns hidden,
      RetentionClass pagesClass,
      long number) {
    RowEntry entry = row.entry();
    PacksTable table = await(tables.packs(pagesClass));
    Manifest manifest;
    try (RowPages pages = table.newPages(entry.row(), row.generation(), number)) {
      manifest = scan(tables, entry, row.fact(), hidden, pages::add);
      await(pages.finish());
    }
    if (manifest == null) {
      return null;
    }
    onStep.accept(Step.PAGES_WRITTEN);
    Seal seal = new Seal(number, pagesClass, manifest.columns(), true);
    Directory.Fact written = new Directory.Fact(Set.of(), row.fact().longest(), seal);
    Manifest readBack = scan(tables, entry, written, null, columns -> {});
    if (readBack == null
        || readBack.columns() != manifest.columns()
        || readBack.bytes() != manifest.bytes()
        || readBack.digest() != manifest.digest()) {
      throw new IllegalStateException(
          entry.row() + ": its pages differ from its columns, and are not used");
    }
    await(table.checkIndexes(entry.row(), seal));
    onStep.accept(Step.READ_BACK);
    return manifest;
  }

  /** Reads all columns of a row but those to hide; null if there are none. */
  private static @Nullable Manifest scan(
      Tables tables,
      RowEntry entry,
      Directory.Fact fact,
      @Nullable HiddenColumns hidden,
      Consumer<Columns> each) {
    ManifestBuilder builder = new ManifestBuilder(entry.row().hour());
    RetentionClassReader reader = new RetentionClassReader(tables);
    SliceQuery query =
        new SliceQuery(
            entry.row(),
            ColumnRange.of(entry.row().hour()),
            Order.ASCENDING,
            SLICE_COLUMNS,
            Projection.COLUMNS);
    for (boolean more = true; more; ) {
      Slice slice = await(reader.slice(query, fact));
      Columns left = hidden == null ? slice.columns() : hidden.apply(slice.columns());
      if (!left.isEmpty()) {
        builder.add(left);
        each.accept(left);
      }
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
    return builder.build(marks(entry));
  }

  /** Returns the marks of a row; none if some are only of this look-up, so that it is not whole. */
  private static List<Mark> marks(RowEntry entry) {
    return entry.marks().stream().anyMatch(mark -> mark.value() < 0) ? List.of() : entry.marks();
  }

  static RetentionClass longestKept(Set<String> classes) {
    return classes.stream()
        .map(RetentionClass::parse)
        .max(Comparator.comparingInt(each -> each.ends() ? each.seconds() : Integer.MAX_VALUE))
        .orElseThrow();
  }

  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw DriverFailures.of(e);
    }
  }
}
