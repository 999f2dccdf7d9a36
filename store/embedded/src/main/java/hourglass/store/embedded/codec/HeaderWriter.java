package hourglass.store.embedded.codec;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.zip.CRC32C;

/** Writes the header of a page: first the fields, then the checksums once the body is complete. */
final class HeaderWriter {
  private final CRC32C crc = new CRC32C();
  private final int[] minutes = new int[60];

  void begin(Columns columns, PageOutput out) {
    out.putInt(HeaderLayout.MAGIC);
    out.putByte(HeaderLayout.VERSION);
    out.putByte(0); // the layout, set later
    out.putByte(0); // the header's length, set later
    out.putByte(0);
    out.putInt(0);
    out.putInt(0);
    out.putInt(0);
    out.putInt(columns.size());
    out.putInt(columns.payloadBytes());
    putName(columns.first(), out);
    putName(columns.last(), out);
    putMinutes(columns, out);
  }

  private static void putName(TimeUuid name, PageOutput out) {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  void finish(int layout, int headerLength, PageOutput out) {
    byte[] page = out.array();
    page[HeaderLayout.LAYOUT_AT] = (byte) layout;
    page[HeaderLayout.HEADER_LENGTH_AT] = (byte) headerLength;
    page[HeaderLayout.HEADER_LENGTH_AT + 1] = (byte) (headerLength >>> 8);
    int bodyLength = out.size() - headerLength;
    crc.reset();
    crc.update(page, headerLength, bodyLength);
    out.setInt(HeaderLayout.BODY_AT, (int) crc.getValue());
    out.setInt(HeaderLayout.BODY_AT + Integer.BYTES, bodyLength);
    out.setInt(HeaderLayout.CHECKSUM_AT, checksum(crc, page, headerLength));
  }

  static int checksum(CRC32C crc, byte[] page, int headerLength) {
    crc.reset();
    crc.update(page, 0, HeaderLayout.CHECKSUM_AT);
    crc.update(page, HeaderLayout.BODY_AT, headerLength - HeaderLayout.BODY_AT);
    return (int) crc.getValue();
  }

  private void putMinutes(Columns columns, PageOutput out) {
    int firstMinute = minuteOfHour(columns.ticks(0));
    int lastMinute = count(columns, firstMinute);
    out.putByte(firstMinute);
    out.putByte(lastMinute - firstMinute + 1);
    for (int minute = firstMinute; minute <= lastMinute; minute++) {
      out.putVarint(minutes[minute]);
    }
  }

  /** Fills {@link #minutes}, and returns the last one that has a column. */
  private int count(Columns columns, int firstMinute) {
    int minute = firstMinute;
    long end = startOfMinute(columns.ticks(0)) + Ticks.PER_MINUTE;
    minutes[minute] = 0;
    for (int i = 0; i < columns.size(); i++) {
      while (columns.ticks(i) >= end) {
        if (minute == 59) {
          return lastUsed();
        }
        minutes[++minute] = 0;
        end += Ticks.PER_MINUTE;
      }
      minutes[minute]++;
    }
    return minute;
  }

  private int lastUsed() {
    int minute = 59;
    while (minutes[minute] == 0) {
      minute--;
    }
    return minute;
  }

  private static long startOfMinute(long ticks) {
    return ticks - Math.floorMod(ticks - Ticks.UNIX_EPOCH, Ticks.PER_MINUTE);
  }

  static int minuteOfHour(long ticks) {
    return (int) (Math.floorMod(ticks - Ticks.UNIX_EPOCH, Ticks.PER_HOUR) / Ticks.PER_MINUTE);
  }
}
