package hourglass.ingest;

import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.Reason;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rejections since the start, by type and reason, with samples of each. Thread-safe. */
public final class RejectLedger {
  // At most 500 * 3 samples of about 1 KiB: a few MB.
  private static final int KEYS_MAX = 500;
  private static final int SAMPLES_MAX = 3;
  private static final int SAMPLE_BYTES_MAX = 512;

  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private long total;

  private record Key(@Nullable String type, Reason reason) {}

  private record Sample(String problem, String event) {}

  private static final class Entry {
    private long count;
    private long lastTicks;
    private final Deque<Sample> samples = new ArrayDeque<>(SAMPLES_MAX);
  }

  RejectLedger() {}

  synchronized void count(@Nullable String type, Reason reason, long nowTicks) {
    total++;
    Entry entry = entry(type, reason);
    entry.count++;
    entry.lastTicks = nowTicks;
  }

  /** Keeps the first bytes of the item {@code [from, to)} as a sample. */
  synchronized void record(
      @Nullable String type,
      Reason reason,
      String problem,
      long nowTicks,
      byte[] b,
      int from,
      int to) {
    count(type, reason, nowTicks);
    Deque<Sample> samples = entry(type, reason).samples;
    if (samples.size() == SAMPLES_MAX) {
      samples.removeFirst();
    }
    int length = Math.min(to - from, SAMPLE_BYTES_MAX);
    samples.addLast(new Sample(problem, new String(b, from, length, StandardCharsets.UTF_8)));
  }

  /** Senders choose types: beyond the limit, only reasons are counted. */
  private Entry entry(@Nullable String type, Reason reason) {
    Key key = new Key(type, reason);
    boolean known = entries.containsKey(key) || entries.size() < KEYS_MAX;
    return entries.computeIfAbsent(known ? key : new Key(null, reason), k -> new Entry());
  }

  /** Oldest entry first. */
  public synchronized JsonObject toJson() {
    JsonArray rejects = new JsonArray();
    entries.forEach((key, entry) -> rejects.add(toJson(key, entry)));
    return new JsonObject().put("total", total).put("rejects", rejects);
  }

  private static JsonObject toJson(Key key, Entry entry) {
    JsonArray samples = new JsonArray();
    entry.samples.forEach(
        sample ->
            samples.add(new JsonObject().put("reason", sample.problem).put("event", sample.event)));
    return new JsonObject()
        .put("type", key.type)
        .put("reason", key.reason.text())
        .put("count", entry.count)
        .put("last", Ticks.text(entry.lastTicks))
        .put("samples", samples);
  }
}
