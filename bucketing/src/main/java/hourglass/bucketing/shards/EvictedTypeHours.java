package hourglass.bucketing.shards;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The type hours whose claims must be read before this writer continues there. Above a limit, whole
 * hours count as evicted. Thread-safe.
 */
final class EvictedTypeHours {
  /** The most types that are kept one by one, about 100 bytes each. */
  static final int TYPES_MAX = 50_000;

  private final Map<Hour, Set<String>> types = new HashMap<>();
  private int count;

  /** The hours that count as evicted for all types: at most 876,600, an int each. */
  private final Set<Hour> whole = new HashSet<>();

  synchronized void add(TypeHour typeHour) {
    if (whole.contains(typeHour.hour())) {
      return;
    }
    count +=
        types.computeIfAbsent(typeHour.hour(), any -> new HashSet<>()).add(typeHour.type()) ? 1 : 0;
    if (count > TYPES_MAX) {
      Map.Entry<Hour, Set<String>> largest =
          Collections.max(
              types.entrySet(), Comparator.comparingInt(each -> each.getValue().size()));
      whole.add(largest.getKey());
      count -= largest.getValue().size();
      types.remove(largest.getKey());
    }
  }

  synchronized boolean has(TypeHour typeHour) {
    return whole.contains(typeHour.hour())
        || types.getOrDefault(typeHour.hour(), Set.of()).contains(typeHour.type());
  }
}
