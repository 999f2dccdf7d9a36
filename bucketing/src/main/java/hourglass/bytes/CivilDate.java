package hourglass.bytes;

/**
 * Converts between dates of the Gregorian calendar and days since 1970-01-01, by the algorithms of
 * H. Hinnant.
 */
public final class CivilDate {
  private static final int DAYS_TO_1970 = 719_468;
  private static final int DAYS_PER_ERA = 146_097;

  private CivilDate() {}

  /** Returns the days since 1970-01-01. {@code day} may lie outside of its month. */
  public static long epochDay(int year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(y, 400L);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
  }

  /** Returns year, month and day as {@code year << 16 | month << 8 | day}. */
  public static long ofEpochDay(long epochDay) {
    long z = epochDay + DAYS_TO_1970;
    long era = Math.floorDiv(z, (long) DAYS_PER_ERA);
    long dayOfEra = z - era * DAYS_PER_ERA;
    long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long shifted = (5 * dayOfYear + 2) / 153;
    long day = dayOfYear - (153 * shifted + 2) / 5 + 1;
    long month = shifted < 10 ? shifted + 3 : shifted - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    return year << 16 | month << 8 | day;
  }

  public static int days(int year, int month) {
    if (month == 2) {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  }
}
