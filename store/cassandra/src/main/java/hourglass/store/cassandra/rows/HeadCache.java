package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Heads of the pages of sealed rows of all tables, least recently used first. Thread-safe. */
public final class HeadCache {
  /** The heads of some 20 million events, with their filters of values. */
  private static final long BYTES_MAX = 64L << 20;

  /** A number is of one seal, whose pages are in one table. */
  private record Key(RowKey row, long seal) {}

  private final Map<Key, List<PagePart>> heads = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  synchronized @Nullable List<PagePart> get(RowKey row, long seal) {
    return heads.get(new Key(row, seal));
  }

  synchronized void put(RowKey row, long seal, List<PagePart> pages) {
    List<PagePart> before = heads.put(new Key(row, seal), pages);
    bytes += memory(pages) - (before == null ? 0 : memory(before));
    Iterator<List<PagePart>> eldest = heads.values().iterator();
    while (bytes > BYTES_MAX && eldest.hasNext()) {
      bytes -= memory(eldest.next());
      eldest.remove();
    }
  }

  private static long memory(List<PagePart> pages) {
    return pages.stream().mapToLong(PagePart::memoryBytes).sum();
  }
}
