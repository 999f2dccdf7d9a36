package hourglass.ingest.protocols.elastic;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the event type that all indices of one kind share. */
final class IndexName {
  /** The limit of Elasticsearch for the name of an index. */
  static final int CHARS_MAX = 255;

  private static final String DAY = "(?:0[1-9]|[12][0-9]|3[01])";
  private static final String MONTH = "(?:0[1-9]|1[0-2])";

  /**
   * The suffix of a day, as in {@code logs-2026.11.20}, {@code logs-2026-11-20} or {@code
   * logs.2026.11.20}.
   */
  private static final Pattern DATE =
      Pattern.compile(
          "(?s)(.+)(?:-[0-9]{4}\\.M\\.D|-[0-9]{4}-M-D|\\.[0-9]{4}\\.M\\.D)"
              .replace("M", MONTH)
              .replace("D", DAY));

  /** The number of a rollover, as in {@code logs-000001}. */
  private static final Pattern NUMBER = Pattern.compile("(?s)(.+)-[0-9]{6}");

  private IndexName() {}

  /**
   * Returns the name of an index without date and number. Otherwise each day would be another type.
   */
  static String type(String index) {
    return without(DATE, without(NUMBER, index));
  }

  private static String without(Pattern suffix, String index) {
    Matcher matcher = suffix.matcher(index);
    return matcher.matches() ? matcher.group(1) : index;
  }
}
