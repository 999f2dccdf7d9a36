package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A short-lived cache of facts needed to read a row, since a slice often follows a read of the
 * directory. Thread-safe.
 */
final class RowFacts {
  private static final int ROWS_MAX = 50_000;

  /**
   * @param classes retention classes whose tables have columns of the row
   * @param longest upper bound on the length of a payload, bytes
   */
  record Fact(Set<String> classes, int longest) {
    Fact with(Fact other) {
      Set<String> all = new HashSet<>(classes);
      all.addAll(other.classes);
      return new Fact(Set.copyOf(all), Math.max(longest, other.longest));
    }
  }

  private record Known(Fact fact, long sinceNanos) {}

  private final long trustNanos;
  private final LongSupplier nanoTime;

  private final Map<RowKey, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RowKey, Known> eldest) {
          return size() > ROWS_MAX;
        }
      };

  RowFacts(Duration trustFor, LongSupplier nanoTime) {
    this.trustNanos = trustFor.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Merges with a fact that is still valid, since two lookups may finish in either order. */
  synchronized void put(RowKey row, Fact fact) {
    Fact before = of(row);
    known.put(row, new Known(before == null ? fact : before.with(fact), nanoTime.getAsLong()));
  }

  synchronized @Nullable Fact of(RowKey row) {
    Known now = known.get(row);
    return now != null && nanoTime.getAsLong() - now.sinceNanos() < trustNanos ? now.fact() : null;
  }
}
