package hourglass.store.rows;

import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of parts of which a piece was read, for the reader's next slice and for other readers of
 * the newest events. A part that was read to its end is removed. Its reader no longer needs it;
 * besides, the parts of a whole hour would replace each other, and each would outlive the young
 * generation of the heap. Thread-safe.
 */
final class PartCache implements PartLoader {
  /** The memory of a cached part without its columns, in bytes. */
  private static final int ENTRY_BYTES = 200;

  /** The memory of a filter, in bytes; only the filter's own query finds the entry again. */
  private static final int FILTER_BYTES = 4 << 10;

  private final long bytesMax;

  /** The cached columns, least recently used first. Guarded by itself. */
  private final Map<Key, Columns> cache = new LinkedHashMap<>(64, 0.75f, true);

  private long bytes;

  /** A way to load a part; a null {@code filter} loads every column. */
  private record Key(Part part, @Nullable FieldFilter filter) {}

  PartCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public Columns load(Part part, @Nullable FieldFilter filter, boolean isPiece) {
    if (!isPiece || part.isLoaded()) {
      return part.load(filter);
    }
    Key key = new Key(part, filter);
    synchronized (cache) {
      Columns cached = cache.get(key);
      if (cached != null) {
        return cached;
      }
    }
    Columns columns = part.load(filter);
    keep(part, filter, columns);
    return columns;
  }

  @Override
  public void keep(Part part, @Nullable FieldFilter filter, Columns columns) {
    if (part.isLoaded()) {
      return;
    }
    Key key = new Key(part, filter);
    synchronized (cache) {
      if (cache.put(key, columns) == null) {
        bytes += memory(key, columns);
      }
      Iterator<Map.Entry<Key, Columns>> eldest = cache.entrySet().iterator();
      while (bytes > bytesMax && eldest.hasNext()) {
        Map.Entry<Key, Columns> left = eldest.next();
        bytes -= memory(left.getKey(), left.getValue());
        eldest.remove();
      }
    }
  }

  @Override
  public void forget(Part part, @Nullable FieldFilter filter) {
    if (part.isLoaded()) {
      return;
    }
    Key key = new Key(part, filter);
    synchronized (cache) {
      Columns left = cache.remove(key);
      bytes -= left == null ? 0 : memory(key, left);
    }
  }

  /** The memory of the cached parts, in bytes. */
  long bytes() {
    synchronized (cache) {
      return bytes;
    }
  }

  private static long memory(Key key, Columns columns) {
    return ENTRY_BYTES + (key.filter() == null ? 0 : FILTER_BYTES) + columns.memoryBytes();
  }
}
