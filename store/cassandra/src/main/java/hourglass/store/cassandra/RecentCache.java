package hourglass.store.cassandra;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A bounded cache of values that were read at most {@code trustFor} ago. Thread-safe. */
final class RecentCache<K, V> {
  private record Entry<V>(V value, long sinceNanos) {}

  private final long trustNanos;
  private final LongSupplier nanoTime;
  private final ConcurrentMap<K, Entry<V>> entries;

  /** Creates a cache; {@code nanoTime} must be monotonic. */
  RecentCache(int entriesMax, Duration trustFor, LongSupplier nanoTime) {
    this.trustNanos = trustFor.toNanos();
    this.nanoTime = nanoTime;
    this.entries =
        Caffeine.newBuilder()
            .maximumSize(entriesMax)
            .executor(Runnable::run)
            .<K, Entry<V>>build()
            .asMap();
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  boolean isRecent(long sinceNanos) {
    return nanoTime() - sinceNanos < trustNanos;
  }

  @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry != null && isRecent(entry.sinceNanos) ? entry.value : null;
  }

  /** Puts a value, unless the cache contains one that was requested later. */
  void put(K key, V value, long requestedNanos) {
    entries.merge(
        key,
        new Entry<>(value, requestedNanos),
        (before, now) -> requestedNanos - before.sinceNanos >= 0 ? now : before);
  }

  /** Joins a value with a recent one, whichever was requested later. */
  void merge(K key, V value, long requestedNanos, BinaryOperator<V> merge) {
    entries.merge(
        key,
        new Entry<>(value, requestedNanos),
        (before, now) -> {
          if (!isRecent(before.sinceNanos)) {
            return now;
          }
          long later = requestedNanos - before.sinceNanos >= 0 ? requestedNanos : before.sinceNanos;
          return new Entry<>(merge.apply(before.value, value), later);
        });
  }

  void update(K key, UnaryOperator<V> change) {
    entries.computeIfPresent(
        key, (same, entry) -> new Entry<>(change.apply(entry.value), entry.sinceNanos));
  }

  void remove(K key) {
    entries.remove(key);
  }
}
