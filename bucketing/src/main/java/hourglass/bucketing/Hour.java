package hourglass.bucketing;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import org.jspecify.annotations.Nullable;

/**
 * One hour of UTC, {@code [start, start + 1 h)}. Immutable.
 *
 * @param epochHours hours since 1970, {@link #FIRST} to {@link #LAST}, since a row key contains two
 *     digits of the year
 */
public record Hour(int epochHours) implements Comparable<Hour> {
  private static final int FIRST_EPOCH_HOURS = 262_968;
  private static final int LAST_EPOCH_HOURS = 1_139_567;

  /** The first hour, 2000-01-01T00Z. */
  public static final Hour FIRST = new Hour(FIRST_EPOCH_HOURS);

  /** The last hour, 2099-12-31T23Z. */
  public static final Hour LAST = new Hour(LAST_EPOCH_HOURS);

  private static final int KEY_LENGTH = 8;
  private static final int HOURS_PER_DAY = 24;

  /**
   * The format is strict. A lenient one would read 30 February as the 28th, and hour 24 as the next
   * day.
   */
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH").withResolverStyle(ResolverStyle.STRICT);

  public Hour {
    if (epochHours < FIRST_EPOCH_HOURS || epochHours > LAST_EPOCH_HOURS) {
      throw new IllegalArgumentException("hour: outside 2000-2099");
    }
  }

  public static boolean covers(long ticks) {
    return ticks >= FIRST.startTicks() && ticks < LAST.endTicks();
  }

  /** Returns the hour that contains a tick. Throws IllegalArgumentException outside 2000-2099. */
  public static Hour ofTicks(long ticks) {
    return new Hour((int) Math.floorDiv(ticks - Ticks.UNIX_EPOCH, Ticks.PER_HOUR));
  }

  /**
   * Returns the hour that contains an instant. Throws IllegalArgumentException outside 2000-2099.
   */
  public static Hour of(Instant instant) {
    long hours = Math.floorDiv(instant.getEpochSecond(), 3600L);
    return new Hour(hours == (int) hours ? (int) hours : -1);
  }

  /**
   * Reads an hour such as {@code 2026-11-20T08}. Throws IllegalArgumentException naming any other
   * text.
   */
  public static Hour parse(String text) {
    try {
      return of(LocalDateTime.parse(text, TEXT).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "hour: \"" + text + "\" is not an hour such as 2026-11-20T08", e);
    }
  }

  /** Reads an hour as {@code ddmmyyhh}. Throws IllegalArgumentException naming any other text. */
  static Hour parseKey(String key) {
    // This loop is faster than a formatter: every query reads a directory, with a key in each
    // record.
    int digits = 0;
    for (int i = 0; i < key.length(); i++) {
      int digit = key.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i == KEY_LENGTH) {
        throw noKey(key, null);
      }
      digits = 10 * digits + digit;
    }
    int hour = digits % 100;
    if (key.length() != KEY_LENGTH || hour >= HOURS_PER_DAY) {
      throw noKey(key, null);
    }
    try {
      LocalDate day =
          LocalDate.of(2000 + digits / 100 % 100, digits / 10_000 % 100, digits / 1_000_000);
      return new Hour(Math.toIntExact(day.toEpochDay() * HOURS_PER_DAY + hour));
    } catch (DateTimeException e) {
      throw noKey(key, e);
    }
  }

  private static IllegalArgumentException noKey(String key, @Nullable DateTimeException cause) {
    return new IllegalArgumentException("row key: \"" + key + "\" is not ddmmyyhh", cause);
  }

  /** Returns the hour as {@code ddmmyyhh}. */
  public String key() {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochHours, HOURS_PER_DAY));
    int digits =
        day.getDayOfMonth() * 1_000_000
            + day.getMonthValue() * 10_000
            + day.getYear() % 100 * 100
            + Math.floorMod(epochHours, HOURS_PER_DAY);
    String text = Integer.toString(digits);
    return text.length() == KEY_LENGTH ? text : "0" + text;
  }

  public long startTicks() {
    return Ticks.UNIX_EPOCH + epochHours * Ticks.PER_HOUR;
  }

  public long endTicks() {
    return startTicks() + Ticks.PER_HOUR;
  }

  public boolean contains(long ticks) {
    return ticks >= startTicks() && ticks < endTicks();
  }

  public Instant start() {
    return Instant.ofEpochSecond(epochHours * 3600L);
  }

  public Instant end() {
    return Instant.ofEpochSecond((epochHours + 1) * 3600L);
  }

  /** Returns the next hour. Throws IllegalArgumentException after {@link #LAST}. */
  public Hour next() {
    return new Hour(epochHours + 1);
  }

  /** Returns the previous hour. Throws IllegalArgumentException before {@link #FIRST}. */
  public Hour previous() {
    return new Hour(epochHours - 1);
  }

  @Override
  public int compareTo(Hour other) {
    return Integer.compare(epochHours, other.epochHours);
  }

  @Override
  public String toString() {
    return Ticks.text(startTicks()).substring(0, 13);
  }
}
