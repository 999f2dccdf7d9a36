package hourglass.store.embedded.late;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The filters of recently used type hours. Thread-safe. */
final class NameBloomFilters {
  /** Enough for eight million names at the full number of bits. */
  private static final long BYTES_MAX = 32L << 20;

  /** Most filters are never built. */
  private static final int COUNT_MAX = 4_096;

  /** Least recently used first. */
  private final Map<TypeHour, NameBloomFilter> filters = new LinkedHashMap<>(16, 0.75f, true);

  synchronized NameBloomFilter of(Hour hour, String type) {
    makeRoom();
    return filters.computeIfAbsent(new TypeHour(hour, type), key -> new NameBloomFilter(BYTES_MAX));
  }

  private void makeRoom() {
    long bytes = filters.values().stream().mapToLong(NameBloomFilter::bytes).sum();
    Iterator<NameBloomFilter> oldest = filters.values().iterator();
    while (filters.size() > 1 && (bytes > BYTES_MAX || filters.size() >= COUNT_MAX)) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }
}
