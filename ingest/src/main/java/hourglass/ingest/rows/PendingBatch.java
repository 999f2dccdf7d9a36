package hourglass.ingest.rows;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Assignment;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;

/** The columns of one write for one type hour, on their way into rows. Not thread-safe. */
public final class PendingBatch implements ColumnBatch {
  private final TypeHour typeHour;
  private final Columns columns;
  private final List<Assignment> assignments = new ArrayList<>(1);

  /** The first column without a row. */
  private int next;

  private long recordedMillis;

  PendingBatch(TypeHour typeHour, Columns columns) {
    this.typeHour = typeHour;
    this.columns = columns;
  }

  TypeHour typeHour() {
    return typeHour;
  }

  @Override
  public int columns() {
    return columns.size();
  }

  @Override
  public long bytes(int from, int to) {
    return from == to
        ? 0
        : (long) columns.offset(to - 1) + columns.length(to - 1) - columns.offset(from);
  }

  /** The arrival, by the planner's clock. */
  long recordedMillis() {
    return recordedMillis;
  }

  void recorded(long atMillis) {
    recordedMillis = atMillis;
  }

  List<Assignment> assignments() {
    return assignments;
  }

  int next() {
    return next;
  }

  void placedTo(int position) {
    next = position;
  }

  boolean isPlaced() {
    return next == columns.size();
  }

  /** Adds the mutations, once all columns have rows. */
  void addTo(List<Mutation> mutations) {
    boolean whole = assignments.size() == 1;
    for (Assignment assignment : assignments) {
      Columns part = columns.subColumns(assignment.from(), assignment.to());
      // A part that shared the arrays would hold, and count as, the whole.
      mutations.add(new Mutation(typeHour.row(assignment.shard()), whole ? part : part.copy()));
    }
  }
}
