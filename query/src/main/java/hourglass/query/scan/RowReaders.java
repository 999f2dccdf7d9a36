package hourglass.query.scan;

import static java.util.Objects.requireNonNull;

import hourglass.bucketing.RowKey;
import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.encode.RowText;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates the merges of a query, one for each hour, within the query's buffer.
 *
 * @param fanOut for rows of usual size; see {@link FanOutPlan}
 * @param bufferBytes payload bytes in the slices of all readers
 * @param columnsWanted the most columns that are needed of one row
 * @param filter the answer's filter for the store; null if every event is wanted
 * @param readsAll whether every event that matches is wanted
 */
public record RowReaders(
    QueryOptions options,
    int fanOut,
    int bufferBytes,
    Order order,
    Projection projection,
    long columnsWanted,
    @Nullable FieldFilter filter,
    boolean readsAll) {

  /** The number of columns in the first slices of all rows together: enough to begin an answer. */
  private static final int FIRST_COLUMNS = 1_024;

  private static final int FIRST_COLUMNS_OF_ROW = 64;

  /** The memory of an open row: its reader and two slices, without their columns. */
  private static final long OPEN_ROW_BYTES = 1_000;

  /** The number of rows up to which all count as open. */
  private static final int FEW_ROWS = 1_000;

  public RowReaders(
      QueryOptions options,
      Order order,
      Projection projection,
      long columnsWanted,
      @Nullable FieldFilter filter,
      boolean readsAll) {
    this(
        options,
        options.fanOut(),
        options.bufferBytes(),
        order,
        projection,
        columnsWanted,
        filter,
        readsAll);
  }

  /**
   * Creates the merge of one hour. The window is widened, but never narrowed, since it may still
   * serve the hour before.
   */
  public RowMerge merge(
      List<RowEntry> rows,
      Function<RowEntry, ColumnRange> range,
      SliceWindow window,
      AnswerRows answerRows) {
    FanOutPlan fanOutPlan = FanOutPlan.of(rows, fanOut, bufferBytes, columnsWanted);
    window.widen(fanOutPlan.slices());
    int first = Math.max(FIRST_COLUMNS_OF_ROW, FIRST_COLUMNS / fanOutPlan.rowsOpen());
    Map<RowKey, ColumnRange> unshared = filter == null ? Map.of() : UnsharedRanges.of(rows, range);
    return new RowMerge(
        rows,
        row ->
            filter == null
                ? reader(row, range.apply(row), first, null, fanOutPlan, window)
                : reader(
                    row,
                    range.apply(row).intersect(UnsharedRanges.listed(row)),
                    Integer.MAX_VALUE, // few are left of a large slice
                    new SliceQuery.Filter(
                        filter, requireNonNull(unshared.get(row.row())), readsAll),
                    fanOutPlan,
                    window),
        order,
        projection,
        fanOutPlan.rowsAhead(),
        fanOutPlan.slices(),
        answerRows);
  }

  private RowReader reader(
      RowEntry row,
      ColumnRange range,
      int first,
      SliceQuery.@Nullable Filter inStore,
      FanOutPlan fanOutPlan,
      SliceWindow window) {
    int columnsMax = sliceColumns(row, fanOutPlan);
    SliceQuery query = new SliceQuery(row.row(), range, order, columnsMax, projection, inStore);
    RowSlices slices = new RowSlices(row, query, first, window, columnsWanted);
    return new RowReader(row, slices, order, new RowText(row.row().type()));
  }

  /** Returns an upper bound on the memory of the readers and slices, in bytes. */
  public long heldBytes(List<RowEntry> rows) {
    Plan all = Plan.of(rows);
    boolean someOfEach = columnsWanted < all.columns() / Math.max(1, rows.size());
    long columns = someOfEach ? columnsWanted * rows.size() : all.columns();
    long columnBytes =
        projection == Projection.NAMES ? FanOutPlan.NAME_BYTES : FanOutPlan.columnBytes(all);
    return Math.min(bufferBytes, columns * columnBytes) + OPEN_ROW_BYTES * rowsOpen(rows);
  }

  private long rowsOpen(List<RowEntry> rows) {
    return rows.size() <= FEW_ROWS
        ? rows.size()
        : FanOutPlan.of(rows, fanOut, bufferBytes, columnsWanted).rowsOpen();
  }

  private int sliceColumns(RowEntry row, FanOutPlan fanOutPlan) {
    long fitting = fanOutPlan.sliceBytes() / FanOutPlan.columnBytes(Plan.of(row));
    long wanted = Math.min(columnsWanted, options.sliceColumns());
    return (int) Math.max(1, Math.min(fitting, wanted));
  }
}
