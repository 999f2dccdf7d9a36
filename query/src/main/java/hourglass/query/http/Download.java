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
import org.jspecify.annotations.Nullable;

/**
 * The Content-Disposition (RFC 6266) of an answer that is saved as a file. If the client gives no
 * name, the name has type and range: {@code checkout-2026-11-20T08.ndjson}.
 */
final class Download {
  /** More types would make the name long and no clearer. */
  private static final int TYPES_NAMED = 3;

  private static final int TYPES_LENGTH_MAX = 80;

  /** Without colons, which some file systems do not allow. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private Download() {}

  /** The value of the header; null if the request asks for no file. */
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
    return FileNames.isPlain(name) ? name : "events-" + name;
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
}
