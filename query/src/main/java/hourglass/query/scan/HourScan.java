package hourglass.query.scan;

import hourglass.query.Plan;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An hour on its way: its directory is asked for at once, its first slices when it is {@link #start
 * started}, or {@link #prepare prepared}. Used by one thread at a time.
 */
final class HourScan {
  private final CompletableFuture<List<RowEntry>> rows;
  private final Consumer<List<RowEntry>> enter;
  private final Function<List<RowEntry>, RowMerge> toMerge;
  private @Nullable RowMerge merge;
  private @Nullable Plan plan;

  /**
   * @param rows those that are wanted of it
   * @param enter is shown them before they are read, and throws if they may not be
   */
  HourScan(
      CompletableFuture<List<RowEntry>> rows,
      Consumer<List<RowEntry>> enter,
      Function<List<RowEntry>, RowMerge> toMerge) {
    this.rows = rows;
    this.enter = enter;
    this.toMerge = toMerge;
  }

  /** Whether its directory is there. */
  boolean isKnown() {
    return rows.isDone() && !rows.isCompletedExceptionally();
  }

  /** What there is to read, at the most; only once its directory is there, as all below. */
  Plan plan() {
    Plan known = plan;
    if (known == null) {
      known = rows.join().stream().map(Plan::of).reduce(Plan.NOTHING, Plan::plus);
      plan = known;
    }
    return known;
  }

  /** Its rows. */
  List<RowEntry> rows() {
    return rows.join();
  }

  /** Asks for the hour's first slices ahead of need. */
  void prepare() {
    if (merge == null) {
      merge = toMerge.apply(rows.join());
    }
  }

  /** The merge of the hour's rows, once their names are known; their slices are asked for. */
  CompletableFuture<RowMerge> start() {
    RowMerge prepared = merge;
    return rows.thenApply(
        wanted -> {
          enter.accept(wanted);
          return prepared != null ? prepared : toMerge.apply(wanted);
        });
  }

  /** Lets go of everything that was fetched ahead. */
  void stop() {
    if (merge != null) {
      merge.dropAhead();
    }
    merge = null;
  }
}
