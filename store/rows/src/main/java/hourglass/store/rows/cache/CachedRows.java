package hourglass.store.rows.cache;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Manifest;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Reads sealed rows from a cache, chunk by chunk, and other rows from the store. A chunk is valid
 * only under the marks of its sealed row. A late write adds a mark before its acknowledgement, so
 * later readers of the directory read the store. Thread-safe.
 */
final class CachedRows implements RowSource {
  /**
   * The most columns of a cached chunk. All columns of a larger one are within one minute or a part
   * of it.
   */
  private static final int CHUNK_COLUMNS_MAX = 1 << 14;

  /** The most bytes of a cached chunk, since large payloads are not worth the space. */
  private static final int CHUNK_BYTES_MAX = 2 << 20;

  /**
   * The most concurrent loads of whole chunks, by all queries together. Each may need twice its
   * maximum size until it is compressed. Beyond the limit, a query reads only the columns it needs.
   */
  static final int LOADS_MAX = 16;

  /** The entry of a chunk that is too large for the cache, so that it is not loaded again. */
  private static final byte[] TOO_LARGE = {};

  private final WideColumnStore store;
  private final RowSource uncached;
  private final RowCache cache;
  private final Executor executor;
  private final Semaphore loads;

  CachedRows(WideColumnStore store, RowCache cache, Executor executor) {
    this(store, cache, executor, new Semaphore(LOADS_MAX));
  }

  private CachedRows(WideColumnStore store, RowCache cache, Executor executor, Semaphore loads) {
    this.store = store;
    this.uncached = RowSource.of(store);
    this.cache = cache;
    this.executor = executor;
    this.loads = loads;
  }

  @Override
  public RowSource on(Executor threads) {
    return new CachedRows(store.readingOn(threads), cache, threads, loads);
  }

  @Override
  public CompletionStage<Slice> slice(RowEntry entry, SliceQuery query) {
    Manifest manifest = entry.manifest();
    ColumnRange wanted =
        query.range().intersect(new ColumnRange(entry.first(), entry.last().successor()));
    // With a filter, the store reads less of its pages than the whole columns of a chunk.
    boolean isFiltered = query.filter() != null && store.keepsFieldsApart();
    if (manifest == null || !entry.sealed() || wanted.isEmpty() || isFiltered) {
      return store.slice(query);
    }
    RowChunks chunks = RowChunks.of(entry.row().hour(), manifest);
    return store
        .erasureMark()
        .thenCompose(mark -> begin(new Walk(entry, manifest, chunks, query, wanted, mark)));
  }

  private CompletionStage<Slice> begin(Walk walk) {
    cache.validate(walk.mark);
    try {
      return CompletableFuture.supplyAsync(walk::begin, executor).thenCompose(slice -> slice);
    } catch (RejectedExecutionException e) { // closing
      return CompletableFuture.failedFuture(e);
    }
  }

  private final class Walk {
    private final RowEntry entry;
    private final Manifest manifest;
    private final RowChunks chunks;
    private final SliceQuery query;
    private final ColumnRange wanted;
    private final Object mark;

    Walk(
        RowEntry entry,
        Manifest manifest,
        RowChunks chunks,
        SliceQuery query,
        ColumnRange wanted,
        Object mark) {
      this.entry = entry;
      this.manifest = manifest;
      this.chunks = chunks;
      this.query = query;
      this.wanted = wanted;
      this.mark = mark;
    }

    CompletionStage<Slice> begin() {
      if (query.order() == Order.ASCENDING) {
        return from(chunks.at(wanted.from().ticks()));
      }
      int last = chunks.at(wanted.to().ticks());
      return from(reaches(last) ? last : last - 1); // the end is exclusive
    }

    /** Returns the columns of the first chunk from here on that has some in the range. */
    CompletionStage<Slice> from(int first) {
      for (int chunk = first; reaches(chunk); chunk += step()) {
        ChunkKey key = ChunkKey.of(entry, manifest, chunks.range(chunk));
        byte[] packed = cache.get(key, mark);
        if (packed == null) {
          return loads.tryAcquire() ? loadInTurn(chunk, key) : store.slice(query);
        }
        if (packed.length == 0) {
          return store.slice(query);
        }
        Slice slice = slice(ChunkCodec.decode(packed), chunk);
        if (!slice.columns().isEmpty()) {
          return CompletableFuture.completedFuture(slice);
        }
      }
      return CompletableFuture.completedFuture(new Slice(Columns.EMPTY, false));
    }

    private int step() {
      return query.order() == Order.ASCENDING ? 1 : -1;
    }

    private boolean reaches(int chunk) {
      return chunk >= 0
          && chunk < chunks.count()
          && !chunks.range(chunk).intersect(wanted).isEmpty();
    }

    private Slice slice(Columns all, int chunk) {
      Columns inRange = all.within(wanted);
      int size = inRange.size();
      int taken = Math.min(size, query.columnsMax());
      Columns columns =
          query.order() == Order.ASCENDING
              ? inRange.subColumns(0, taken)
              : inRange.subColumns(size - taken, size);
      boolean more = taken < size || reaches(chunk + step());
      Columns projected = query.projection() == Projection.NAMES ? columns.namesOnly() : columns;
      // A part is copied, so that a small slice does not keep the whole chunk in memory.
      return new Slice(
          taken < all.size() ? projected.copy() : projected, more && !columns.isEmpty());
    }

    private CompletionStage<Slice> loadInTurn(int chunk, ChunkKey key) {
      return CompletableFuture.completedFuture(key)
          .thenCompose(same -> load(chunk, same))
          .whenComplete((slice, failure) -> loads.release());
    }

    private CompletionStage<Slice> load(int chunk, ChunkKey key) {
      SliceQuery whole =
          new SliceQuery(
              entry.row(),
              chunks.range(chunk),
              Order.ASCENDING,
              CHUNK_COLUMNS_MAX,
              Projection.COLUMNS);
      return read(whole, new ArrayList<>())
          .thenComposeAsync(
              read -> {
                if (read == null) {
                  cache.put(key, TOO_LARGE, mark);
                  return store.slice(query);
                }
                if (!chunks.mayHave(chunk, read.size())) {
                  return store.slice(query); // changed or dropped since it was sealed
                }
                cache.put(key, ChunkCodec.encode(read), mark);
                Slice slice = slice(read, chunk);
                return slice.columns().isEmpty()
                    ? from(chunk + step())
                    : CompletableFuture.completedFuture(slice);
              },
              executor);
    }
  }

  /** Reads all columns of a range; null if there are too many. */
  private CompletionStage<@Nullable Columns> read(SliceQuery query, List<Columns> parts) {
    return store
        .slice(query)
        .thenCompose(
            slice -> {
              parts.add(slice.columns());
              int columns = parts.stream().mapToInt(Columns::size).sum();
              long bytes = parts.stream().mapToLong(Columns::payloadBytes).sum();
              if (columns > CHUNK_COLUMNS_MAX
                  || bytes > CHUNK_BYTES_MAX
                  || (slice.more() && columns == CHUNK_COLUMNS_MAX)) {
                return CompletableFuture.completedFuture(null);
              }
              return slice.more()
                  ? read(query.after(slice), parts)
                  : CompletableFuture.completedFuture(Columns.merge(parts));
            });
  }

  @Override
  public CompletionStage<RowCounts> count(RowEntry entry, CountQuery query) {
    return uncached.count(entry, query);
  }
}
