package hourglass.store.pages;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a page, readable without decompression. Numbers are little-endian.
 *
 * <pre>
 *  0        4       5       6        8          12         16         20      24
 *  +--------+-------+-------+--------+----------+----------+----------+-------+
 *  | "HGpg" |version|layout | header | checksum | checksum | length   | count |
 *  |        |       |       | length | of header| of body  | of body  |       |
 *  +--------+-------+-------+--------+----------+----------+----------+-------+
 *  24        28           36          44           52          60       61     62
 *  +---------+------------+-----------+------------+-----------+--------+------+----------
 *  | payload | first name:| lower     | last name: | lower     | first  | how  | columns of
 *  | bytes   | ticks      | half      | ticks      | half      | minute | many | each, varints
 *  +---------+------------+-----------+------------+-----------+--------+------+----------
 * </pre>
 *
 * Magic, version, and the header's length and checksum keep their places. So later versions are not
 * mistaken for damage.
 *
 * @param payloadBytes before compression
 * @param columnsByMinute 60 counts, of the first name's UTC hour, without columns beyond it; must
 *     not be changed
 * @param checksum CRC32C of the header, which covers the body's: pages with the same are the same
 */
@SuppressWarnings("ArrayRecordComponent") // headers are read by the thousand, never compared
public record PageHeader(
    int layout,
    int length,
    int checksum,
    int bodyChecksum,
    int bodyLength,
    int count,
    int payloadBytes,
    TimeUuid first,
    TimeUuid last,
    int[] columnsByMinute) {
  /**
   * The most columns of a page: ten times the target width of a row. The names of so many need 16
   * MiB.
   */
  static final int COLUMNS_MAX = 1 << 20;

  /**
   * The most payload bytes of a page: more than a row of the target size, or several of the largest
   * payloads.
   */
  static final int PAYLOAD_BYTES_MAX = 32 << 20;

  static final int VERSION_AT = 4;
  static final int LAYOUT_AT = 5;
  static final int LENGTH_AT = 6;

  /** The position of the CRC32C of the header without these four bytes. */
  static final int CHECKSUM_AT = 8;

  static final int BODY_AT = 12;
  static final int FIXED_BYTES = 62;

  /** The length with the counts of 60 minutes, three bytes each. */
  static final int BYTES_MAX = FIXED_BYTES + 60 * 3;

  static final int ROWS = 0;

  static final int COLUMNS = 1;

  /** The layout of columns that are followed by a {@link ValueFilter}. */
  static final int FILTERED = 2;

  private static final int MAGIC = 'H' | 'G' << 8 | 'p' << 16 | 'g' << 24;
  private static final int VERSION = 7;

  static void begin(Columns columns, PageOutput out) {
    out.putInt(MAGIC);
    out.putInt(VERSION); // in its lowest byte
    out.putInt(0);
    out.putLong(0);
    out.putInt(columns.size());
    out.putInt(columns.payloadBytes());
    putName(columns.first(), out);
    putName(columns.last(), out);
    putMinutes(columns, out);
  }

  static void putName(TimeUuid name, PageOutput out) {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  private static void putMinutes(Columns columns, PageOutput out) {
    int[] minutes = new int[60];
    int first = minuteOfHour(columns.ticks(0));
    int last = first;
    long end =
        columns.ticks(0) - Math.floorMod(columns.ticks(0) - Ticks.UNIX_EPOCH, Ticks.PER_MINUTE);
    for (int minute = first, from = 0; minute < minutes.length; minute++) {
      end += Ticks.PER_MINUTE;
      int to = columns.lowerBound(end, TimeUuid.sortable(0), from);
      minutes[minute] = to - from;
      last = to > from ? minute : last;
      from = to;
    }
    out.putByte(first);
    out.putByte(last - first + 1);
    for (int i = first; i <= last; i++) {
      out.putVarint(minutes[i]);
    }
  }

  private static int minuteOfHour(long ticks) {
    return (int) (Math.floorMod(ticks - Ticks.UNIX_EPOCH, Ticks.PER_HOUR) / Ticks.PER_MINUTE);
  }

  static void finish(int layout, int length, PageOutput out) {
    byte[] page = out.array();
    page[LAYOUT_AT] = (byte) layout;
    page[LENGTH_AT] = (byte) length;
    page[LENGTH_AT + 1] = (byte) (length >>> 8);
    int bodyLength = out.size() - length;
    out.setInt(BODY_AT, bodyChecksum(page, length, bodyLength));
    out.setInt(BODY_AT + Integer.BYTES, bodyLength);
    out.setInt(CHECKSUM_AT, checksum(page, length));
  }

  static int checksum(byte[] page, int length) {
    CRC32C crc = new CRC32C();
    crc.update(page, 0, CHECKSUM_AT);
    crc.update(page, BODY_AT, length - BODY_AT);
    return (int) crc.getValue();
  }

  private static int bodyChecksum(byte[] page, int length, int bodyLength) {
    CRC32C crc = new CRC32C();
    crc.update(page, length, bodyLength);
    return (int) crc.getValue();
  }

  /** Returns the checksum that the page states, for callers that read no more of it. */
  public static int storedChecksum(PageBytes page) {
    byte[] start = new byte[CHECKSUM_AT + Integer.BYTES];
    if (page.length() < start.length) {
      throw new CorruptException("page: " + page.length() + " bytes, shorter than a header");
    }
    page.read(0, start, start.length);
    PageInput in = new PageInput(start, 0, start.length);
    in.skip(CHECKSUM_AT);
    return in.getInt();
  }

  /** Reads the header of a page, or of its beginning. A CorruptException names the fault. */
  public static PageHeader read(byte[] page) {
    int length = checkedLength(page);
    PageInput in = new PageInput(page, VERSION_AT, length);
    int version = in.getByte();
    if (version != VERSION) {
      throw new CorruptException(
          "page: version %s, this program reads version %s; another one wrote it"
              .formatted(version, VERSION));
    }
    int layout = in.getByte();
    in.skip(CHECKSUM_AT - LENGTH_AT);
    int checksum = in.getInt();
    int bodyChecksum = in.getInt();
    int bodyLength = number("length of the body", in, 0, Integer.MAX_VALUE - length);
    int count = number("count", in, 1, COLUMNS_MAX);
    int payloadBytes = number("payload bytes", in, 0, PAYLOAD_BYTES_MAX);
    TimeUuid first = name("first name", in);
    TimeUuid last = name("last name", in);
    int[] minutes = minutes(minuteOfHour(first.ticks()), count, in);
    in.finish();
    return new PageHeader(
        layout,
        length,
        checksum,
        bodyChecksum,
        bodyLength,
        count,
        payloadBytes,
        first,
        last,
        minutes);
  }

  /** Whether the page ends with a filter of its values. */
  public boolean isFiltered() {
    return layout == FILTERED;
  }

  private static int checkedLength(byte[] page) {
    if (page.length < FIXED_BYTES) {
      throw new CorruptException("page: " + page.length + " bytes are too few for a header");
    }
    PageInput in = new PageInput(page, 0, FIXED_BYTES);
    if (in.getInt() != MAGIC) {
      throw new CorruptException("page: does not begin with \"HGpg\"");
    }
    in.skip(LENGTH_AT - VERSION_AT);
    int length = in.getByte() | in.getByte() << 8;
    if (length < FIXED_BYTES || length > page.length) {
      throw new CorruptException(
          "page: a header of " + length + " bytes in a page of " + page.length);
    }
    if (in.getInt() != checksum(page, length)) {
      throw new CorruptException("page: the header does not match its checksum");
    }
    return length;
  }

  private static int number(String what, PageInput in, int min, int max) {
    int value = in.getInt();
    if (value < min || value > max) {
      throw new CorruptException(
          "page: " + what + ": " + value + " is not within " + min + " and " + max);
    }
    return value;
  }

  private static TimeUuid name(String what, PageInput in) {
    long ticks = in.getLong();
    try {
      return new TimeUuid(ticks, in.getLong());
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + what + ": " + e.getMessage(), e);
    }
  }

  private static int[] minutes(int expectedFirst, int count, PageInput in) {
    int[] minutes = new int[60];
    int first = in.getByte();
    int many = in.getByte();
    if (first != expectedFirst || first + many > minutes.length) {
      throw new CorruptException("page: " + many + " minutes from minute " + first);
    }
    int left = count;
    for (int i = first; i < first + many; i++) {
      minutes[i] = in.getCount("columns of a minute", left);
      left -= minutes[i];
    }
    return minutes;
  }

  /**
   * Returns the starts of the minutes of some columns; null if a column is after the hour.
   *
   * @param columns ascending
   */
  long @Nullable [] minutesOf(int[] columns) {
    long[] starts = new long[columns.length];
    long hour = Hour.ofTicks(first.ticks()).startTicks();
    int minute = 0;
    int end = columnsByMinute[0];
    for (int i = 0; i < columns.length; i++) {
      while (columns[i] >= end) {
        if (++minute == columnsByMinute.length) {
          return null;
        }
        end += columnsByMinute[minute];
      }
      starts[i] = hour + minute * Ticks.PER_MINUTE;
    }
    return starts;
  }

  /** Checks the rest of the page. Throws CorruptException if a byte of it is damaged. */
  public void checkBody(byte[] page) {
    if (page.length - length != bodyLength) {
      throw new CorruptException(
          "page: " + page.length + " bytes, not " + (length + (long) bodyLength));
    }
    if (bodyChecksum(page, length, bodyLength) != bodyChecksum) {
      throw new CorruptException("page: the body does not match its checksum");
    }
  }
}
