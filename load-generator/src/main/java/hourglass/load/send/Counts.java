package hourglass.load.send;

import hourglass.load.command.LoadLimits;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** The counters of a bounded number of kinds. Safe for any number of threads. */
public final class Counts {
  private static final String OTHERS = "others";

  private final BiConsumer<String, LongAdder> onNewKind;

  private final Map<String, LongAdder> byKind = new ConcurrentHashMap<>();

  public Counts() {
    this((kind, count) -> {});
  }

  /**
   * Creates counters.
   *
   * @param onNewKind is called with each kind and its counter, once
   */
  public Counts(BiConsumer<String, LongAdder> onNewKind) {
    this.onNewKind = onNewKind;
  }

  public void add(String kind, long count) {
    boolean known = byKind.containsKey(kind) || byKind.size() < LoadLimits.KINDS_MAX;
    byKind.computeIfAbsent(known ? kind : OTHERS, this::begin).add(count);
  }

  private LongAdder begin(String kind) {
    LongAdder count = new LongAdder();
    onNewKind.accept(kind, count);
    return count;
  }

  public long total() {
    return byKind.values().stream().mapToLong(LongAdder::sum).sum();
  }

  public Map<String, Long> byKind() {
    Map<String, Long> counts = new TreeMap<>();
    byKind.forEach((kind, count) -> counts.put(kind, count.sum()));
    return counts;
  }
}
