package hourglass.query.count;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import hourglass.query.Plan;
import hourglass.query.Selection;
import hourglass.query.count.EventBatch.OfFields;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.UnsharedRanges;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the selected events into batches, at least one for each type hour. Thread-safe. */
final class EventBatchReader {
  /**
   * The number of rows that a query reads by fields at the same time: one for each core. Each may
   * use half of a query's buffer, so with more of them, few queries would fill the memory of all
   * answers.
   */
  private static final int LANES =
      Math.max(EventPass.PASSES, Math.min(4, Runtime.getRuntime().availableProcessors()));

  /**
   * The columns from which an hour is worth more lanes. One with fewer, some ten pages, is read
   * sooner than more lanes have started.
   */
  private static final long LONG_COLUMNS = 16_384;

  private final StoreAccess access;
  private final AnswerRows answerRows;
  private final Function<String, EventBatch> batchOfType;
  private final @Nullable EventFilter filter;
  private final EventPass pass;

  private EventBatchReader(
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, EventBatch> batchOfType,
      @Nullable EventFilter filter,
      EventPass pass) {
    this.access = access;
    this.answerRows = answerRows;
    this.batchOfType = batchOfType;
    this.filter = filter;
    this.pass = pass;
  }

  /** Reads the selected events. Completes once all batches are flushed. */
  static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, EventBatch> batchOfType) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    int lanes = lanes(access);
    EventPass pass = new EventPass(access, lanes, filter, answerRows);
    EventBatchReader reader = new EventBatchReader(access, answerRows, batchOfType, filter, pass);
    return new DirectoryScan(access, lanes, answerRows)
        .forEachHour(
            selection,
            (hour, rows, callsMax) -> reader.read(rows, selection.range().within(hour), callsMax));
  }

  /** The number of parallel reads of a query that reads payloads. */
  static int lanes(StoreAccess access) {
    return access.store().keepsFieldsApart() ? LANES : EventPass.PASSES;
  }

  /**
   * Reads the rows of an hour. If there are few types, several rows of a type are read at the same
   * time.
   */
  private CompletionStage<Void> read(List<RowEntry> rows, ColumnRange range, int lanes) {
    Iterable<List<RowEntry>> types = DirectoryScan.byType(rows);
    int typesAtOnce = Math.max(1, Math.min(lanes, Iterables.size(types)));
    int rowsAtOnce = lanes / typesAtOnce;
    Function<List<RowEntry>, CompletionStage<?>> read =
        ofType -> readType(ofType, range, rowsAtOnce);
    boolean isLong =
        typesAtOnce > 1
            && access.store().keepsFieldsApart()
            && Plan.of(rows).columns() >= LONG_COLUMNS;
    return isLong
        ? FanOut.forEachSpread(largestFirst(types), typesAtOnce, access, read)
        : FanOut.forEach(types, typesAtOnce, access, read);
  }

  /**
   * Returns the types by size, so that no lane still reads the largest when the others have ended.
   */
  private static List<List<RowEntry>> largestFirst(Iterable<List<RowEntry>> types) {
    return Streams.stream(types)
        .map(rows -> Map.entry(Plan.of(rows).columns(), rows))
        .sorted(Map.Entry.<Long, List<RowEntry>>comparingByKey().reversed())
        .map(Map.Entry::getValue)
        .toList();
  }

  private CompletionStage<Void> readType(List<RowEntry> rows, ColumnRange range, int rowsAtOnce) {
    String type = rows.get(0).row().type();
    EventBatch batch = batchOfType.apply(type);
    FieldValuesReader byFields = FieldValuesReader.of(access, type, filter, answerRows);
    CompletionStage<?> read =
        byFields != null && batch instanceof OfFields shared
            ? readFields(rows, range, rowsAtOnce, byFields, shared)
            : pass.read(rows, range, Projection.COLUMNS, batch);
    return read.thenRun(batch::flush);
  }

  /** Reads only fields of a row wherever no other row may contain its events. */
  private CompletionStage<Void> readFields(
      List<RowEntry> rows,
      ColumnRange range,
      int rowsAtOnce,
      FieldValuesReader byFields,
      OfFields shared) {
    UnsharedRanges.Rows split = UnsharedRanges.Rows.of(rows);
    return FanOut.forEach(
            split.apart(),
            rowsAtOnce,
            access,
            row -> {
              OfFields own = (OfFields) batchOfType.apply(row.row().type());
              return byFields.read(row, range, own).thenRun(own::flush);
            })
        .thenCompose(
            done ->
                FanOut.forEach(
                    CountParts.of(split.others(), range),
                    1,
                    access,
                    part ->
                        part.isShared()
                            ? pass.read(part.rows(), part.range(), Projection.COLUMNS, shared)
                            : byFields.read(part.rows().get(0), part.range(), shared)));
  }
}
