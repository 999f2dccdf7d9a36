package hourglass.ingest.service;

import hourglass.ingest.decode.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rejections since the start, by type and reason, with samples of each. Thread-safe. */
final class RejectLedger {
  // These limits allow 500 * 3 samples of about 1 KiB, so a few MB.
  private static final int KEYS_MAX = 500;
  private static final int SAMPLES_MAX = 3;
  private static final int SAMPLE_BYTES_MAX = 512;

  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  private record Key(@Nullable String type, Reason reason) {}

  private static final class Entry {
    private long count;
    private long lastTicks;
    private final Deque<Rejects.Sample> samples = new ArrayDeque<>(SAMPLES_MAX);
  }

  synchronized void count(@Nullable String type, Reason reason, long nowTicks) {
    count(type, reason, 1, nowTicks);
  }

  private Entry count(@Nullable String type, Reason reason, long items, long nowTicks) {
    Entry entry = entry(type, reason);
    entry.count += items;
    entry.lastTicks = nowTicks;
    return entry;
  }

  /** Counts items, and keeps their problem as a sample without any of their bytes. */
  synchronized void record(
      @Nullable String type, Reason reason, String problem, long items, long nowTicks) {
    add(count(type, reason, items, nowTicks), new Rejects.Sample(problem, ""));
  }

  /** Adds the rejections that another ledger has recorded. */
  synchronized void add(RejectLedger other) {
    for (Rejects some : other.list()) {
      Entry entry = entry(some.type(), some.reason());
      entry.count += some.count();
      entry.lastTicks = Math.max(entry.lastTicks, some.lastTicks());
      some.samples().forEach(sample -> add(entry, sample));
    }
  }

  /** Counts the item {@code [from, to)}, and keeps its first bytes as a sample. */
  synchronized void record(
      @Nullable String type,
      Reason reason,
      String problem,
      long nowTicks,
      byte[] b,
      int from,
      int to) {
    count(type, reason, nowTicks);
    int length = Math.min(to - from, SAMPLE_BYTES_MAX);
    String text = new String(b, from, length, StandardCharsets.UTF_8);
    add(entry(type, reason), new Rejects.Sample(problem, text));
  }

  private static void add(Entry entry, Rejects.Sample sample) {
    if (entry.samples.size() == SAMPLES_MAX) {
      entry.samples.removeFirst();
    }
    entry.samples.addLast(sample);
  }

  /** Returns the entry. Senders choose types, so beyond the limit only reasons are counted. */
  private Entry entry(@Nullable String type, Reason reason) {
    Key key = new Key(type, reason);
    boolean known = entries.containsKey(key) || entries.size() < KEYS_MAX;
    return entries.computeIfAbsent(known ? key : new Key(null, reason), k -> new Entry());
  }

  /** Returns the rejections, the oldest entry first. */
  synchronized List<Rejects> list() {
    return entries.entrySet().stream().map(e -> rejects(e.getKey(), e.getValue())).toList();
  }

  private static Rejects rejects(Key key, Entry entry) {
    return new Rejects(
        key.type, key.reason, entry.count, entry.lastTicks, List.copyOf(entry.samples));
  }
}
