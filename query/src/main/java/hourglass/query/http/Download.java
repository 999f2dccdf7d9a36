package hourglass.query.http;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.EventFormat;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Content-Disposition (RFC 6266) of a download. By default, a name contains the types and the
 * range: {@code checkout-2026-11-20T08.ndjson}.
 */
final class Download {
  /** The most types that a name lists. More would make it long and no clearer. */
  private static final int TYPES_NAMED = 3;

  private static final int TYPES_LENGTH_MAX = 80;

  /** The form of times in names, without colons, which some file systems do not allow. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** The rule of {@link #isPlain}, as text for a message. */
  static final String NAMES_ALLOWED =
      "a file's name of 1 to 200 bytes of UTF-8, without /, \\, :, *, ?, <, >, |, control or"
          + " invisible characters, a dot or blank at either end, and no device's name such as CON";

  /**
   * The most bytes of a name. File systems allow 255; the rest is for a suffix that a browser adds
   * to a duplicate.
   */
  private static final int BYTES_MAX = 200;

  /**
   * The characters that names must not contain: those of paths, file streams, Windows patterns and
   * pipes, and invisible ones. With U+202E, {@code fdp.exe} reads as {@code exe.pdf}.
   */
  private static final Pattern FORBIDDEN =
      Pattern.compile("[/\\\\:*?<>|\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

  /** The names of Windows devices, which Windows recognizes by the text before the first dot. */
  private static final Pattern DEVICE =
      Pattern.compile(
          "(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\\..*)?",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  /**
   * The names that begin or end with a dot or a blank: hidden files, and names whose ends some
   * systems strip.
   */
  private static final Pattern EDGE = Pattern.compile("[.\\p{Z}].*|.*[.\\p{Z}]", Pattern.DOTALL);

  private Download() {}

  /** Returns the Content-Disposition of an answer; null if the request does not ask for a file. */
  static @Nullable String disposition(
      QueryParameters parameters, Selection selection, EventFormat format) {
    String asked = parameters.fileName();
    if (!parameters.isDownload()) {
      return null;
    }
    return disposition(asked != null ? asked : name(selection, format));
  }

  private static String disposition(String name) {
    String plain = name.replaceAll("[^\\x20-\\x7e]", "_").replaceAll("[\"\\\\%;]", "_");
    String said = "attachment; filename=\"" + plain + '"';
    return plain.equals(name)
        ? said
        : said
            + "; filename*=UTF-8''"
            + URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
  }

  private static String name(Selection selection, EventFormat format) {
    String name = types(selection.types()) + range(selection.range()) + '.' + format.extension();
    // A type may have the name of a device, or begin with a dot.
    return isPlain(name) ? name : "events-" + name;
  }

  private static String types(SortedSet<String> types) {
    if (types.isEmpty()) {
      return "events";
    }
    String names = String.join("+", types).replaceAll("[^A-Za-z0-9._+-]", "_");
    return types.size() <= TYPES_NAMED && names.length() <= TYPES_LENGTH_MAX
        ? names
        : types.size() + "-types";
  }

  private static String range(TimeRange range) {
    if (range.equals(TimeRange.ALL)) {
      return "";
    }
    Hour hour = range.isEmpty() ? null : Hour.ofTicks(range.fromTicks());
    if (hour != null && range.equals(TimeRange.of(hour))) {
      return "-" + hour;
    }
    boolean begins = range.fromTicks() > TimeRange.ALL.fromTicks();
    boolean ends = range.toTicks() < TimeRange.ALL.toTicks();
    return (begins ? (ends ? "-" : "-from-") + time(range.fromTicks()) : "")
        + (ends ? (begins ? "-" : "-until-") + time(range.toTicks()) : "");
  }

  private static String time(long ticks) {
    return TIME.format(Ticks.toInstant(ticks));
  }

  /** Whether a name is safe as a file name on every system. */
  static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX
        && !FORBIDDEN.matcher(name).find()
        && !EDGE.matcher(name).matches()
        && !DEVICE.matcher(name).matches();
  }
}
