package hourglass.store.cassandra.cache;

import hourglass.store.Columns;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads all columns of a range, up to a limit. Use it once. */
final class ChunkReader {
  private final WideColumnStore store;
  private final int columnsMax;
  private final int bytesMax;
  private final List<Columns> parts = new ArrayList<>();
  private int columns;
  private long bytes;

  ChunkReader(WideColumnStore store, int columnsMax, int bytesMax) {
    this.store = store;
    this.columnsMax = columnsMax;
    this.bytesMax = bytesMax;
  }

  /**
   * Reads the range, slice by slice.
   *
   * @param query ascending, from the beginning of the range
   * @return empty if the range exceeds a limit
   */
  CompletionStage<Optional<Columns>> read(SliceQuery query) {
    return store.slice(query).thenCompose(slice -> add(query, slice));
  }

  private CompletionStage<Optional<Columns>> add(SliceQuery query, Slice slice) {
    parts.add(slice.columns());
    columns += slice.columns().size();
    bytes += slice.columns().isEmpty() ? 0 : slice.columns().payloadBytes();
    if (columns > columnsMax || bytes > bytesMax || (slice.more() && columns == columnsMax)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return slice.more()
        ? read(query.after(slice))
        : CompletableFuture.completedFuture(Optional.of(Columns.merge(parts)));
  }
}
