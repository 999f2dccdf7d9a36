package hourglass.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters by kind, a bounded number of kinds. For any number of threads. */
final class Counts {
  private static final String OTHERS = "others";

  private final Map<String, LongAdder> byKind = new ConcurrentHashMap<>();

  void add(String kind, long count) {
    LongAdder known = byKind.get(kind);
    if (known == null) {
      String name = byKind.size() < Limits.KINDS_MAX ? kind : OTHERS;
      known = byKind.computeIfAbsent(name, any -> new LongAdder());
    }
    known.add(count);
  }

  long total() {
    return byKind.values().stream().mapToLong(LongAdder::sum).sum();
  }

  Map<String, Long> byKind() {
    Map<String, Long> counts = new TreeMap<>();
    byKind.forEach((kind, count) -> counts.put(kind, count.sum()));
    return counts;
  }
}
