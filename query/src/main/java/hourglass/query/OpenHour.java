package hourglass.query;

import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An hour on its way: its directory is asked for at once, its first slices when it is {@link #start
 * started}. Used by one thread at a time.
 */
final class OpenHour {
  private final CompletableFuture<List<RowEntry>> rows;
  private final Function<List<RowEntry>, RowMerge> toMerge;
  private @Nullable CompletableFuture<RowMerge> merge;

  OpenHour(CompletableFuture<List<RowEntry>> rows, Function<List<RowEntry>, RowMerge> toMerge) {
    this.rows = rows;
    this.toMerge = toMerge;
  }

  /** Asks for the hour's first slices ahead of need. */
  void prepare() {
    if (merge == null) {
      merge = rows.thenApply(toMerge);
    }
  }

  /** The merge of the hour's rows, once their names are known; their slices are asked for. */
  CompletableFuture<RowMerge> start() {
    CompletableFuture<RowMerge> started = merge != null ? merge : rows.thenApply(toMerge);
    merge = started;
    return started;
  }

  /** Lets go of everything that was fetched ahead. */
  void stop() {
    merge = null;
  }
}
