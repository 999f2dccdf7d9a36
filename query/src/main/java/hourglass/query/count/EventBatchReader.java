package hourglass.query.count;

import hourglass.query.Plan;
import hourglass.query.Selection;
import hourglass.query.count.EventBatch.OfFields;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.MatchingRows;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.UnsharedRanges;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the selected events into batches, at least one for each type hour. Rows are read in
 * portions, several at the same time, each in a thread of its own. Used by one thread.
 */
final class EventBatchReader {
  /**
   * The number of portions that a query reads at the same time: one for each core. Each may use
   * half of a query's buffer, so with more of them, few queries would fill the memory of all
   * answers.
   */
  private static final int LANES =
      Math.max(EventPass.PASSES, Math.min(4, Runtime.getRuntime().availableProcessors()));

  /**
   * The columns that are worth a thread of their own. Fewer, some ten pages, are read sooner than
   * another thread has started.
   */
  private static final long PORTION_COLUMNS = 16_384;

  private final StoreAccess access;
  private final AnswerRows answerRows;
  private final Function<String, EventBatch> batchOfType;
  private final @Nullable EventFilter filter;
  private final EventPass pass;
  private final FanOut portions;
  private final long portionColumns;

  /** The portion that is not large enough yet. */
  private Portion next = new Portion();

  private EventBatchReader(
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, EventBatch> batchOfType,
      @Nullable EventFilter filter,
      FanOut portions) {
    this.access = access;
    this.answerRows = answerRows;
    this.batchOfType = batchOfType;
    this.filter = filter;
    this.portions = portions;
    pass = new EventPass(access, lanes(access), filter, answerRows);
    // Other stores answer later, and are asked for several rows at once.
    portionColumns = access.store().keepsFieldsApart() ? PORTION_COLUMNS : 1;
  }

  /** Reads the selected events. */
  static void read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, EventBatch> batchOfType,
      QueryThread thread) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    EventBatchReader reader =
        new EventBatchReader(
            access, answerRows, batchOfType, filter, new FanOut(lanes(access), thread));
    new DirectoryScan(access, selection, 1, answerRows, thread)
        .forEachHour((hour, rows) -> reader.read(rows, selection.range().within(hour), thread));
    reader.finish(thread);
  }

  /** The number of parallel reads of a query that reads payloads. */
  static int lanes(StoreAccess access) {
    return access.store().keepsFieldsApart() ? LANES : EventPass.PASSES;
  }

  /** Reads the rows of an hour, those of large types first, so that the last portions are small. */
  private void read(List<RowEntry> rows, ColumnRange range, QueryThread thread) {
    List<RowEntry> matching =
        thread.await(
            MatchingRows.of(
                access.store(), rows, row -> range, filter == null ? null : filter.fields()));
    List<List<RowEntry>> types = new ArrayList<>();
    DirectoryScan.byType(matching).forEach(ofType -> types.add(List.copyOf(ofType)));
    types.sort(
        Comparator.comparingLong((List<RowEntry> ofType) -> Plan.of(ofType).columns()).reversed());
    types.forEach(ofType -> readType(ofType, range));
  }

  private void readType(List<RowEntry> rows, ColumnRange range) {
    String type = rows.get(0).row().type();
    FieldValuesReader byFields = FieldValuesReader.of(access, type, filter, answerRows);
    if (byFields == null || !(batchOfType.apply(type) instanceof OfFields)) {
      add(rows, (batch, thread) -> pass.read(rows, range, Projection.COLUMNS, batch, thread));
      return;
    }
    UnsharedRanges.Rows split = UnsharedRanges.Rows.of(rows);
    for (RowEntry row : split.apart()) {
      add(List.of(row), (batch, thread) -> byFields.read(row, range, (OfFields) batch, thread));
    }
    for (CountParts.Part part : CountParts.of(split.others(), range)) {
      RowEntry first = part.rows().get(0);
      add(
          part.rows(),
          part.isShared()
              ? (batch, thread) ->
                  pass.read(part.rows(), part.range(), Projection.COLUMNS, batch, thread)
              : (batch, thread) -> byFields.read(first, part.range(), (OfFields) batch, thread));
    }
  }

  /** Adds rows of one type to the next portion, which begins once it is large enough. */
  private void add(List<RowEntry> rows, Reading reading) {
    next.add(rows, reading);
    if (next.columns >= portionColumns) {
      begin(next);
      next = new Portion();
    }
  }

  private void begin(Portion portion) {
    portions.begin(() -> access.start(portion::read), access.account()::give);
  }

  /** Reads the last portion, in the thread of the query if no other is under way. */
  private void finish(QueryThread thread) {
    if (portions.underWay() == 0) {
      access.account().give(next.read(thread));
    } else {
      begin(next);
    }
    portions.finish();
  }

  /** Reads some rows of a type into a batch. */
  @FunctionalInterface
  private interface Reading {
    void read(EventBatch batch, QueryThread thread);
  }

  /** A portion of rows, which one thread reads one after the other. */
  private final class Portion {
    private record Step(String type, Reading reading) {}

    private final List<Step> steps = new ArrayList<>();
    private long columns;
    private long bytes;

    private void add(List<RowEntry> rows, Reading reading) {
      long more = DirectoryScan.ROW_BYTES * rows.size();
      access.account().take(more);
      bytes += more;
      columns += Plan.of(rows).columns();
      steps.add(new Step(rows.get(0).row().type(), reading));
    }

    /** Reads the rows, and returns the memory that they held. */
    private long read(QueryThread thread) {
      for (Step step : steps) {
        EventBatch batch = batchOfType.apply(step.type);
        step.reading.read(batch, thread);
        batch.flush();
      }
      return bytes;
    }
  }
}
