package hourglass.query.loki;

import com.google.common.collect.Iterators;
import hourglass.bucketing.Ticks;
import hourglass.query.EventTaker;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

  private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

  private static final int PIECE_BYTES_MIN = 256;
  private static final int PIECE_BYTES_MAX = 64 << 10;

  private final LogFilter filter;
  private final boolean categorizes;
  private final BooleanSupplier gone;
  private final LongConsumer reserve;

  /** Those of the first lines first. */
  private final Map<Labels, Pieces> values = new LinkedHashMap<>();

  /** The entry that is written. */
  private final JsonText entry;

  /** The entries of a stream, in pieces that are never copied. */
  private final class Pieces {
    private final List<byte[]> full = new ArrayList<>();
    private byte[] last = {};
    private int used;

    void add(byte[] bytes, int length) {
      for (int from = 0; from < length; ) {
        if (used == last.length) {
          next();
        }
        int more = Math.min(length - from, last.length - used);
        System.arraycopy(bytes, from, last, used, more);
        used += more;
        from += more;
      }
    }

    private void next() {
      int size = Math.max(PIECE_BYTES_MIN, Math.min(PIECE_BYTES_MAX, 2 * used));
      reserve.accept(size);
      if (used > 0) {
        full.add(last);
      }
      last = new byte[size];
      used = 0;
    }

    Iterator<byte[]> all() {
      return Iterators.concat(
          full.iterator(), Iterators.singletonIterator(Arrays.copyOf(last, used)));
    }
  }

  /**
   * Gathers the lines of a query.
   *
   * @param categorizes whether each line has its structured metadata and parsed labels apart
   * @param gone whether the client gave the query up
   * @param reserve takes the bytes by which the streams are about to grow
   */
  public LogStreams(
      LogFilter filter, boolean categorizes, BooleanSupplier gone, LongConsumer reserve) {
    this.filter = filter;
    this.categorizes = categorizes;
    this.gone = gone;
    this.reserve = reserve;
    entry = new JsonText(reserve);
  }

  @Override
  public void take(String type, Columns columns, int i) {
    filter.read(type, columns, i, gone, line -> add(line, columns.ticks(i), columns.length(i)));
  }

  private void add(LogLine line, long ticks, int payloadBytes) {
    Labels labels = new Labels(categorizes ? new TreeMap<>(line.stream()) : line.labels());
    Pieces pieces = values.get(labels);
    entry.clear();
    if (pieces == null) {
      reserve.accept(labels.bytes());
      pieces = new Pieces();
      entry.raw(values.isEmpty() ? "{\"stream\":" : ",{\"stream\":");
      labels.write(entry);
      entry.raw(",\"values\":[");
      values.put(labels, pieces);
    } else {
      entry.raw(",");
    }
    entry.room(2 * payloadBytes + ENTRY_BYTES);
    entry.raw("[\"").raw(Long.toString((ticks - Ticks.UNIX_EPOCH) * NANOS_PER_TICK)).raw("\",");
    line.write(entry);
    if (categorizes) {
      entry.raw(",{");
      boolean hasMetadata = !line.metadata().isEmpty();
      if (hasMetadata) {
        entry.raw("\"structuredMetadata\":");
        Labels.write(line.metadata(), entry);
      }
      if (!line.parsed().isEmpty()) {
        entry.raw(hasMetadata ? ",\"parsed\":" : "\"parsed\":");
        Labels.write(line.parsed(), entry);
      }
      entry.raw("}");
    }
    entry.raw("]");
    pieces.add(entry.bytes(), entry.length());
  }

  /** The streams as elements of an array, with commas between them, in pieces. */
  public Iterator<byte[]> pieces() {
    return Iterators.concat(
        Iterators.transform(
            values.values().iterator(),
            stream -> Iterators.concat(stream.all(), Iterators.singletonIterator(END))));
  }
}
