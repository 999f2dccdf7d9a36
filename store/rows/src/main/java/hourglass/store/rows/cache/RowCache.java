package hourglass.store.rows.cache;

import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A cache of chunks of sealed rows, in an off-heap Chronicle Map of fixed size. It evicts the least
 * recently used chunk. Thread-safe.
 */
public final class RowCache implements RowSource.Cache, AutoCloseable {
  /** The least size in bytes. A smaller cache would contain little more than one row of an hour. */
  public static final long BYTES_MIN = 1 << 20;

  /**
   * The assumed size of a value: about a chunk of events of a few hundred bytes; see {@link
   * RowChunks}.
   */
  private static final int VALUE_BYTES_AVERAGE = 64 << 10;

  private static final int PIECE_BYTES = 1 << 10;

  /**
   * The share of the map that is filled. An entry needs adjacent pieces, and a full map has no
   * adjacent free ones left.
   */
  private static final double FILL_MAX = 0.8;

  /**
   * The number of the largest values that fit into the cache: a larger one would evict too many
   * others.
   */
  private static final int SHARE_MIN = 16;

  static {
    // This stops usage reports to the vendor of Chronicle Map; it must precede the first use of its
    // classes.
    System.setProperty("chronicle.analytics.disable", "true");
    System.setProperty("chronicle.announcer.disable", "true");
  }

  private final long bytesMax;
  private final ChronicleMap<byte[], byte[]> map;
  private final Counter hits;
  private final Counter misses;
  private final Counter evictions;

  /**
   * The bytes of each chunk, least recently used first. Guarded by this, like the next three
   * fields.
   */
  private final LinkedHashMap<ChunkKey, Integer> sizes = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;
  private boolean closed;

  /**
   * The erasures as of which all chunks were read; null before the first lookup. Guarded by this.
   */
  private @Nullable Object erasureMark;

  /** Creates a cache of {@code bytesMax} off-heap bytes; their memory is used only as it fills. */
  public RowCache(long bytesMax, MeterRegistry meters) {
    if (bytesMax < BYTES_MIN) {
      throw new IllegalArgumentException("row cache: " + bytesMax + " bytes, want " + BYTES_MIN);
    }
    this.bytesMax = (long) (bytesMax * FILL_MAX);
    map =
        ChronicleMapBuilder.of(byte[].class, byte[].class)
            .name("row-cache")
            .entries(Math.max(SHARE_MIN, bytesMax / VALUE_BYTES_AVERAGE))
            .constantKeySizeBySample(new byte[ChunkKey.BYTES])
            .averageValueSize(VALUE_BYTES_AVERAGE)
            .actualChunkSize(PIECE_BYTES)
            .actualSegments(1)
            .create();
    hits = counter(meters, "hits", "Chunks of sealed rows that were found in the cache");
    misses = counter(meters, "misses", "Chunks of sealed rows that were read from the store");
    evictions = counter(meters, "evictions", "Chunks that made room for others");
    Gauge.builder("hourglass.query.row.cache.bytes", this, RowCache::bytes)
        .description("Off-heap memory that cached rows take")
        .baseUnit("bytes")
        .register(meters);
  }

  private static Counter counter(MeterRegistry meters, String name, String description) {
    return Counter.builder("hourglass.query.row.cache." + name)
        .description(description)
        .register(meters);
  }

  @Override
  public RowSource over(WideColumnStore store, Executor executor) {
    return new CachedRows(store, this, executor);
  }

  /**
   * Forgets all chunks that were read before the last erasure. A query that read the directory
   * before it would else find erased columns under the marks that it knows.
   *
   * @param mark see {@link WideColumnStore#erasureMark}
   */
  synchronized void validate(Object mark) {
    if (erasureMark == mark) {
      return;
    }
    erasureMark = mark;
    if (!sizes.isEmpty()) {
      map.clear();
      sizes.clear();
      bytes = 0;
    }
  }

  /**
   * Returns a chunk; null if it is not here, or if the chunks are as of other erasures. A slow
   * query may set an older mark after {@link #validate}, and others then add chunks under that.
   *
   * @param mark as of which the caller answers
   */
  synchronized byte @Nullable [] get(ChunkKey key, Object mark) {
    boolean isHere = !closed && erasureMark == mark && sizes.get(key) != null;
    byte[] found = isHere ? map.get(key.bytes()) : null;
    (found == null ? misses : hits).increment();
    return found;
  }

  /**
   * Adds a chunk, unless columns were erased since it was read.
   *
   * @param mark as of before it was read
   */
  synchronized void put(ChunkKey key, byte[] value, Object mark) {
    int size = (value.length + ChunkKey.BYTES) / PIECE_BYTES * PIECE_BYTES + PIECE_BYTES;
    if (closed || erasureMark != mark || size > bytesMax / SHARE_MIN || sizes.containsKey(key)) {
      return;
    }
    while (bytes + size > bytesMax) {
      evictOldest();
    }
    while (!tryPutting(key, value)) {
      if (sizes.isEmpty()) {
        return;
      }
      evictOldest();
    }
    sizes.put(key, size);
    bytes += size;
  }

  private boolean tryPutting(ChunkKey key, byte[] value) {
    try {
      map.put(key.bytes(), value);
      return true;
    } catch (IllegalStateException e) { // no free space of that length
      return false;
    }
  }

  private void evictOldest() {
    Iterator<Map.Entry<ChunkKey, Integer>> all = sizes.entrySet().iterator();
    Map.Entry<ChunkKey, Integer> oldest = all.next();
    map.remove(oldest.getKey().bytes());
    bytes -= oldest.getValue();
    all.remove();
    evictions.increment();
  }

  private synchronized long bytes() {
    return bytes;
  }

  /** Frees the memory; later lookups miss. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    sizes.clear();
    bytes = 0;
    map.close();
  }
}
