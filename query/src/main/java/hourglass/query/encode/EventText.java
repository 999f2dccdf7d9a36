package hourglass.query.encode;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;

/**
 * An event as a JSON object: {@code {"id":"..","time":"..","type":"..","data":{..}}}. The payload
 * is copied unchanged. Not thread-safe.
 */
public final class EventText {
  private static final byte[] ID = ascii("{\"id\":\"");
  private static final byte[] TIME = ascii("\",\"time\":\"");
  private static final int FIXED_BYTES =
      ID.length + TimeUuid.TEXT_BYTES + TIME.length + Ticks.TEXT_BYTES + 1;

  private final TimeWriter times = new TimeWriter();

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public static int bytes(RowText row, Columns columns, int i) {
    return FIXED_BYTES + row.json().length + columns.length(i);
  }

  public int write(RowText row, Columns columns, int i, byte[] out, int start) {
    long ticks = columns.ticks(i);
    int at = put(ID, out, start);
    at = TimeUuid.write(ticks, columns.lsb(i), out, at);
    at = put(TIME, out, at);
    at = times.write(ticks, out, at);
    at = put(row.json(), out, at);
    int length = columns.length(i);
    System.arraycopy(columns.bytes(), columns.offset(i), out, at, length);
    out[at + length] = '}';
    return at + length + 1;
  }

  public static int put(byte[] text, byte[] out, int at) {
    System.arraycopy(text, 0, out, at, text.length);
    return at + text.length;
  }
}
