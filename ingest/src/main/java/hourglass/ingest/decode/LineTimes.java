package hourglass.ingest.decode;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Rfc3339;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the time of a line of text, where there is no doubt about it. Not thread-safe.
 *
 * <pre>
 * 2026-11-20T08:30:00.123Z ERROR payment failed        at the beginning, also in brackets
 * 10.0.0.7 - - [20/Nov/2026:08:30:00 +0000] "GET /"    the common log format, anywhere
 * level=info ts=1795163400.5 msg=started               a key of logfmt with RFC 3339 or a number
 * 2026-11-20 08:30:00,123 INFO started                 without a zone: in that of the request
 * </pre>
 *
 * <p>A line that begins with a time without a zone is not searched further, since other times in it
 * do not state when it was written.
 */
final class LineTimes {
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int COMMON_BYTES = "[20/Nov/2026:08:30:00 +0000]".length();

  private static final List<byte[]> KEYS = List.of(utf8("timestamp"), utf8("time"), utf8("ts"));

  /**
   * The fewest digits of a number that is read as a time. A shorter number may have any meaning.
   */
  private static final int EPOCH_DIGITS_MIN = 10;

  private final @Nullable ZoneId localTimes;
  private final LooseTime loose = new LooseTime();
  private final Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
  private final byte[] common = new byte["2026-11-20T08:30:00+0000".length()];
  private boolean isZoneless;
  private boolean isOther;

  /**
   * Creates a finder of times. A time without a zone is read in the zone {@code localTimes}, or not
   * at all if that is null.
   */
  LineTimes(@Nullable ZoneId localTimes) {
    this.localTimes = localTimes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the ticks of the line {@code [from, to)}, or {@link Rfc3339#NOT_A_TIME}. */
  long find(byte[] b, int from, int to) {
    isZoneless = false;
    isOther = false;
    long ticks = atBeginning(b, from, to);
    return ticks == Rfc3339.NOT_A_TIME && !hasUnread() ? inside(b, from, to) : ticks;
  }

  /**
   * Returns the ticks at the beginning of a line that continues another one, or {@link
   * Rfc3339#NOT_A_TIME}. A time further inside is one of the line's values.
   */
  long findAtBeginning(byte[] b, int from, int to) {
    isZoneless = false;
    isOther = false;
    return atBeginning(b, from, to);
  }

  /** Returns whether the last line contains a time that is not read because of its zone. */
  boolean hasUnread() {
    return isZoneless || isOther;
  }

  /** Returns whether the last line contains a time that only lacks a zone. */
  boolean isZoneless() {
    return isZoneless;
  }

  private long atBeginning(byte[] b, int from, int to) {
    int at = from;
    while (at < to && (b[at] == ' ' || b[at] == '[' || b[at] == '(')) {
      at++;
    }
    boolean mayBegin = at < to && b[at] >= '0' && b[at] <= '9';
    return mayBegin ? loose(b, at, to) : Rfc3339.NOT_A_TIME;
  }

  private long loose(byte[] b, int from, int to) {
    long ticks = loose.read(b, from, to);
    isOther = loose.isOther();
    if (!isOfHours(ticks) || !LooseTime.isEnd(b, loose.end(), to)) {
      return Rfc3339.NOT_A_TIME;
    }
    if (!loose.isLocal()) {
      return ticks;
    }
    isZoneless = localTimes == null;
    return localTimes == null ? Rfc3339.NOT_A_TIME : LocalTimes.utc(ticks, localTimes);
  }

  private static boolean isOfHours(long ticks) {
    return ticks != Rfc3339.NOT_A_TIME && Hour.covers(ticks);
  }

  private long inside(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      long ticks = Rfc3339.NOT_A_TIME;
      if (b[i] == '[') {
        ticks = commonLog(b, i, to);
      } else if (b[i] == '=' && isTimeKey(b, from, i)) {
        ticks = ofKey(b, i + 1, to, b[i - 1] == 'e');
      }
      if (ticks != Rfc3339.NOT_A_TIME || hasUnread()) {
        return ticks;
      }
    }
    return Rfc3339.NOT_A_TIME;
  }

  private long commonLog(byte[] b, int at, int to) {
    boolean hasShape =
        at + COMMON_BYTES <= to
            && b[at + 3] == '/'
            && b[at + 7] == '/'
            && b[at + 12] == ':'
            && b[at + 21] == ' '
            && b[at + COMMON_BYTES - 1] == ']';
    int month = hasShape ? month(b, at + 4) : 0;
    if (month == 0) {
      return Rfc3339.NOT_A_TIME;
    }
    System.arraycopy(b, at + 8, common, 0, 4);
    common[4] = '-';
    common[5] = (byte) ('0' + month / 10);
    common[6] = (byte) ('0' + month % 10);
    common[7] = '-';
    System.arraycopy(b, at + 1, common, 8, 2);
    common[10] = 'T';
    System.arraycopy(b, at + 13, common, 11, 8);
    System.arraycopy(b, at + 22, common, 19, 5);
    long ticks = times.parse(common, 0, common.length);
    return isOfHours(ticks) ? ticks : Rfc3339.NOT_A_TIME;
  }

  private static int month(byte[] b, int at) {
    int place = MONTHS.indexOf(new String(b, at, 3, StandardCharsets.ISO_8859_1));
    return place >= 0 && place % 3 == 0 ? place / 3 + 1 : 0;
  }

  private static boolean isTimeKey(byte[] b, int from, int to) {
    for (byte[] key : KEYS) {
      int at = to - key.length;
      boolean begins = at == from || at > from && (b[at - 1] == ' ' || b[at - 1] == '\t');
      if (begins && Arrays.equals(b, at, to, key, 0, key.length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the ticks of a key's value. A number under {@code time} may be a duration, and is not
   * read.
   */
  private long ofKey(byte[] b, int at, int to, boolean mayBeDuration) {
    boolean isQuoted = at < to && b[at] == '"';
    int from = isQuoted ? at + 1 : at;
    int end = from;
    while (end < to && (isQuoted ? b[end] != '"' : b[end] > ' ')) {
      end++;
    }
    if (!mayBeDuration && isEpoch(b, from, end)) {
      long ticks = TimeNumber.parse(b, from, end);
      return isOfHours(ticks) ? ticks : Rfc3339.NOT_A_TIME;
    }
    return loose(b, from, end);
  }

  private static boolean isEpoch(byte[] b, int from, int to) {
    int whole = JsonScanner.digits(b, from);
    if (whole - from < EPOCH_DIGITS_MIN || whole > to) {
      return false;
    }
    boolean hasFraction = whole + 1 < to && b[whole] == '.';
    return (hasFraction ? JsonScanner.digits(b, whole + 1) : whole) == to;
  }
}
