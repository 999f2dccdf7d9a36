package hourglass.store.embedded.rows;

import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decoded pages that were read in part. The reader's next slice, or other readers of the newest
 * events, will likely read them again. The least recently used are evicted first. Thread-safe.
 */
public final class PageCache {
  private final long bytesMax;
  private final Map<PageRef, Columns> pages = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  public PageCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** The page, from the cache or loaded into it. */
  Columns load(PageRef page) {
    synchronized (this) {
      Columns cached = pages.get(page);
      if (cached != null) {
        return cached;
      }
    }
    Columns columns = page.load(Projection.COLUMNS);
    keep(page, columns);
    return columns;
  }

  private synchronized void keep(PageRef page, Columns columns) {
    if (pages.put(page, columns) == null) {
      bytes += columns.memoryBytes();
    }
    Iterator<Columns> eldest = pages.values().iterator();
    while (bytes > bytesMax && eldest.hasNext()) {
      bytes -= eldest.next().memoryBytes();
      eldest.remove();
    }
  }
}
