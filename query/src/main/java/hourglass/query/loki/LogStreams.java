package hourglass.query.loki;

import hourglass.bucketing.Ticks;
import hourglass.query.EventTaker;
import hourglass.store.Columns;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Lines of a query, by stream, as JSON:
 *
 * <pre>
 * {"stream":{"app":"shop"},"values":[["1795434770000000001","a line"]]}
 * </pre>
 *
 * Not thread-safe.
 */
public final class LogStreams implements EventTaker {
  private static final long NANOS_PER_TICK = 100;

  /** Of an entry without its line. */
  private static final int ENTRY_BYTES = 64;

  private final LogFilter filter;
  private final boolean categorizes;
  private final BooleanSupplier gone;
  private final LongConsumer reserve;

  /** Those of the first lines first. */
  private final Map<Labels, JsonText> values = new LinkedHashMap<>();

  /**
   * Gathers the lines of a query.
   *
   * @param categorizes whether each line has its structured metadata and parsed labels apart
   * @param gone whether the client gave the query up
   * @param reserve takes the bytes by which the streams grow
   */
  public LogStreams(
      LogFilter filter, boolean categorizes, BooleanSupplier gone, LongConsumer reserve) {
    this.filter = filter;
    this.categorizes = categorizes;
    this.gone = gone;
    this.reserve = reserve;
  }

  @Override
  public void take(String type, Columns columns, int i) {
    filter.read(
        type,
        columns,
        i,
        gone,
        line -> {
          add(line, columns.ticks(i), columns.length(i));
          return line;
        });
  }

  private void add(LogLine line, long ticks, int payloadBytes) {
    Labels labels = new Labels(categorizes ? new TreeMap<>(line.stream()) : line.labels());
    JsonText out = values.get(labels);
    if (out == null) {
      out = new JsonText();
      reserve.accept(labels.bytes() + out.capacity());
      values.put(labels, out);
    }
    int mostly = 2 * payloadBytes + ENTRY_BYTES;
    reserve.accept(out.growth(mostly));
    out.room(mostly);
    int before = out.capacity();
    long nanos = (ticks - Ticks.UNIX_EPOCH) * NANOS_PER_TICK;
    out.raw(out.length() == 0 ? "[\"" : ",[\"").raw(Long.toString(nanos)).raw("\",");
    line.write(out);
    if (categorizes) {
      out.raw(",{");
      boolean hasMetadata = !line.metadata().isEmpty();
      if (hasMetadata) {
        out.raw("\"structuredMetadata\":");
        Labels.write(line.metadata(), out);
      }
      if (!line.parsed().isEmpty()) {
        out.raw(hasMetadata ? ",\"parsed\":" : "\"parsed\":");
        Labels.write(line.parsed(), out);
      }
      out.raw("}");
    }
    out.raw("]");
    if (out.capacity() > before) {
      reserve.accept(out.capacity() - before);
    }
  }

  /** The streams as elements of an array, each without the comma before it. */
  public Iterator<byte[]> elements() {
    return values.entrySet().stream()
        .map(
            stream -> {
              JsonText out = new JsonText(stream.getValue().length() + 64);
              out.raw("{\"stream\":");
              stream.getKey().write(out);
              out.raw(",\"values\":[").append(stream.getValue()).raw("]}");
              return out.toBytes();
            })
        .iterator();
  }
}
