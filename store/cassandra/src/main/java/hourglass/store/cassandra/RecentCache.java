package hourglass.store.cassandra;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A bounded cache of values that were read at most {@code trustFor} ago. Thread-safe. */
final class RecentCache<K, V> {
  private record Entry<V>(V value, long sinceNanos) {}

  private final long trustNanos;
  private final LongSupplier nanoTime;
  private final Map<K, Entry<V>> entries;

  /** {@code nanoTime} must be monotonic. */
  RecentCache(int entriesMax, Duration trustFor, LongSupplier nanoTime) {
    this.trustNanos = trustFor.toNanos();
    this.nanoTime = nanoTime;
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Entry<V>> eldest) {
            return size() > entriesMax;
          }
        };
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  boolean isRecent(long sinceNanos) {
    return nanoTime() - sinceNanos < trustNanos;
  }

  synchronized @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry != null && isRecent(entry.sinceNanos) ? entry.value : null;
  }

  /** Keeps a value that was requested later. */
  synchronized void put(K key, V value, long requestedNanos) {
    Entry<V> before = entries.get(key);
    if (before == null || requestedNanos - before.sinceNanos >= 0) {
      entries.put(key, new Entry<>(value, requestedNanos));
    }
  }

  /** Joins a value with a recent one, whichever was requested later. */
  synchronized void merge(K key, V value, long requestedNanos, BinaryOperator<V> merge) {
    Entry<V> before = entries.get(key);
    if (before == null || !isRecent(before.sinceNanos)) {
      entries.put(key, new Entry<>(value, requestedNanos));
    } else {
      long later = requestedNanos - before.sinceNanos >= 0 ? requestedNanos : before.sinceNanos;
      entries.put(key, new Entry<>(merge.apply(before.value, value), later));
    }
  }

  synchronized void update(K key, UnaryOperator<V> change) {
    entries.computeIfPresent(
        key, (same, entry) -> new Entry<>(change.apply(entry.value), entry.sinceNanos));
  }

  synchronized void remove(K key) {
    entries.remove(key);
  }
}
