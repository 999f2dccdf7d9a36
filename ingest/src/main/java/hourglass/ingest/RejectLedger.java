package hourglass.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private static final JsonFactory JSON = new JsonFactory();

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

  /** The ledger as JSON, oldest entry first. */
  public synchronized byte[] toJson() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("total", total);
      json.writeArrayFieldStart("rejects");
      for (Map.Entry<Key, Entry> entry : entries.entrySet()) {
        write(json, entry.getKey(), entry.getValue());
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all bytes", e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, Key key, Entry entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", key.type);
    json.writeStringField("reason", key.reason.text());
    json.writeNumberField("count", entry.count);
    json.writeStringField("last", Ticks.text(entry.lastTicks));
    json.writeArrayFieldStart("samples");
    for (Sample sample : entry.samples) {
      json.writeStartObject();
      json.writeStringField("reason", sample.problem);
      json.writeStringField("event", sample.event);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
