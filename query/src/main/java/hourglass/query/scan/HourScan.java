package hourglass.query.scan;

import hourglass.query.Plan;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An hour of a walk. Its directory is requested at once, its first slices by {@link #start} or
 * {@link #prepare}. Used by one thread at a time.
 */
final class HourScan {
  private final CompletableFuture<List<RowEntry>> rows;
  private final Consumer<List<RowEntry>> enter;
  private final Function<List<RowEntry>, RowMerge> toMerge;
  private @Nullable RowMerge merge;
  private @Nullable Plan plan;

  /**
   * @param rows the wanted rows of the hour
   * @param enter checks the rows before they are read, and throws if the query may not read them
   */
  HourScan(
      CompletableFuture<List<RowEntry>> rows,
      Consumer<List<RowEntry>> enter,
      Function<List<RowEntry>, RowMerge> toMerge) {
    this.rows = rows;
    this.enter = enter;
    this.toMerge = toMerge;
  }

  /** Whether the directory is known. */
  boolean isKnown() {
    return rows.isDone() && !rows.isCompletedExceptionally();
  }

  /** The cost of the hour, at most. Like all methods below, it needs a known directory. */
  Plan plan() {
    Plan known = plan;
    if (known == null) {
      known = rows.join().stream().map(Plan::of).reduce(Plan.NOTHING, Plan::plus);
      plan = known;
    }
    return known;
  }

  List<RowEntry> rows() {
    return rows.join();
  }

  /** Requests the first slices of the hour ahead of need. */
  void prepare() {
    if (merge == null) {
      merge = toMerge.apply(rows.join());
    }
  }

  /** Starts the merge once the directory is known; its first slices are then requested. */
  CompletableFuture<RowMerge> start() {
    RowMerge prepared = merge;
    return rows.thenApply(
        wanted -> {
          enter.accept(wanted);
          return prepared != null ? prepared : toMerge.apply(wanted);
        });
  }

  /** Releases all prefetched slices. */
  void stop() {
    if (merge != null) {
      merge.dropAhead();
    }
    merge = null;
  }
}
