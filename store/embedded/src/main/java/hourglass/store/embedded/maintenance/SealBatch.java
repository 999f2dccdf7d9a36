package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rows of any hours that are sealed together. Not thread-safe. */
final class SealBatch {
  /** The rows that share the forces of their pages and manifests; the next limits their bytes. */
  private static final int ROWS_MAX = 2_048;

  private static final long BYTES_MAX = 16L << 20;

  private final Map<HourSeal, List<Row>> rows = new LinkedHashMap<>();
  private int count;
  private long bytes;

  interface Use {
    void of(HourSeal hour, List<Row> rows) throws IOException;
  }

  /** Adds rows of an hour, as many as have room. */
  void add(HourSeal hour) {
    List<Row> taken = hour.take(ROWS_MAX - count, BYTES_MAX - bytes);
    rows.put(hour, taken);
    count += taken.size();
    bytes += taken.stream().mapToLong(HourSeal::payloadBytes).sum();
  }

  boolean isFull() {
    return count >= ROWS_MAX || bytes >= BYTES_MAX;
  }

  /** The bytes of the payloads of all rows, which are no less than those of their new pages. */
  long payloadBytes() {
    return bytes;
  }

  Set<HourSeal> hours() {
    return rows.keySet();
  }

  void forEach(Use use) throws IOException {
    for (Map.Entry<HourSeal, List<Row>> each : rows.entrySet()) {
      use.of(each.getKey(), each.getValue());
    }
  }
}
