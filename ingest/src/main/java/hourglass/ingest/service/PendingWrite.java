package hourglass.ingest.service;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.ShardPlanner.Assignment;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The events of one write.
 *
 * @param pending columns that still need rows
 * @param untimedEvents the events whose times the store keeps, which are not in {@code pending}
 *     yet; null if there are none
 * @param untimed the number of events without a time
 */
public record PendingWrite(
    List<Mutation> mutations,
    List<Batch> pending,
    @Nullable UntimedEvents untimedEvents,
    int events,
    int untimed) {
  public static final PendingWrite EMPTY = new PendingWrite(List.of(), List.of(), null, 0, 0);

  /** Returns all mutations. It must be called once every column has a row. */
  List<Mutation> placed() {
    List<Mutation> placed = new ArrayList<>(mutations);
    pending.forEach(batch -> batch.addTo(placed));
    return placed;
  }

  /**
   * Names a row of a write, or columns whose rows are planned later. It is comparable, so that a
   * map stays fast when types are chosen for equal hashes.
   */
  record RowName(TypeHour typeHour, int shard) implements Comparable<RowName> {
    @Override
    public int compareTo(RowName other) {
      int byTypeHour = typeHour.compareTo(other.typeHour);
      return byTypeHour != 0 ? byTypeHour : Integer.compare(shard, other.shard);
    }

    void add(Columns columns, List<Mutation> mutations, List<Batch> pending) {
      if (shard == FixedShards.PLANNED) {
        pending.add(new Batch(typeHour, columns));
      } else {
        mutations.add(new Mutation(typeHour.row(shard), columns));
      }
    }
  }

  /** One write's columns for one type hour, on their way into rows. Not thread-safe. */
  static final class Batch implements ColumnBatch {
    final TypeHour typeHour;
    final List<Assignment> assignments = new ArrayList<>(1);

    /** Completes when all columns have rows. */
    final CompletableFuture<Void> placed = new CompletableFuture<>();

    /** The first column without a row. */
    int next;

    /** The time of arrival, by the planner's clock. */
    long recordedMillis;

    private final Columns columns;

    Batch(TypeHour typeHour, Columns columns) {
      this.typeHour = typeHour;
      this.columns = columns;
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

    boolean isPlaced() {
      return next == columns.size();
    }

    private void addTo(List<Mutation> mutations) {
      boolean whole = assignments.size() == 1;
      for (Assignment assignment : assignments) {
        Columns part = columns.subColumns(assignment.from(), assignment.to());
        // A part that shared the arrays would hold, and count as, the whole write.
        mutations.add(new Mutation(typeHour.row(assignment.shard()), whole ? part : part.copy()));
      }
    }
  }
}
