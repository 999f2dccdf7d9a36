package hourglass.store.embedded.frames;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A row key in a record, little-endian. See docs/log-format.md.
 *
 * <pre>
 * hour 4 | shard 4 | type length 4 | type UTF-8
 * </pre>
 */
public final class RowRecord {
  private RowRecord() {}

  public static void write(RecordOutput out, RowKey row) throws IOException {
    byte[] type = row.type().getBytes(StandardCharsets.UTF_8);
    out.putInt(row.hour().epochHours());
    out.putInt(row.shard());
    out.putInt(type.length);
    out.putBytes(type, 0, type.length);
  }

  public static RowKey read(ByteBuffer in) {
    Hour hour = new Hour(in.getInt());
    int shard = in.getInt();
    byte[] type = new byte[bounded(in.getInt(), 1, EventType.BYTES_MAX)];
    in.get(type);
    return new RowKey(hour, new String(type, StandardCharsets.UTF_8), shard);
  }

  public static int bounded(int count, int bytesEach, int bytesMax) {
    if (count < 0 || (long) count * bytesEach > bytesMax) {
      throw new IllegalArgumentException("count: " + count + " does not fit");
    }
    return count;
  }
}
