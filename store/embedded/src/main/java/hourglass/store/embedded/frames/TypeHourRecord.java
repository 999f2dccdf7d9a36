package hourglass.store.embedded.frames;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A type of an hour in a record, little-endian.
 *
 * <pre>
 * hour 4 | type length 4 | type UTF-8
 * </pre>
 */
public final class TypeHourRecord {
  private TypeHourRecord() {}

  public static void write(RecordOutput out, TypeHour of) throws IOException {
    byte[] type = of.type().getBytes(StandardCharsets.UTF_8);
    out.putInt(of.hour().epochHours());
    out.putInt(type.length);
    out.putBytes(type, 0, type.length);
  }

  public static TypeHour read(ByteBuffer in) {
    Hour hour = new Hour(in.getInt());
    byte[] type = new byte[RowRecord.bounded(in.getInt(), 1, EventType.BYTES_MAX)];
    in.get(type);
    return new TypeHour(hour, new String(type, StandardCharsets.UTF_8));
  }
}
