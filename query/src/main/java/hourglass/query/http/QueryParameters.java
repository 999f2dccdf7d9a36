package hourglass.query.http;

import hourglass.bucketing.EventType;
import hourglass.bucketing.TimeUuid;
import hourglass.query.AroundQuery;
import hourglass.query.BadParameterException;
import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.HitsQuery;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TimeRange;
import hourglass.query.TopQuery;
import hourglass.query.encode.CsvField;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.tail.TailPosition;
import hourglass.query.tail.TailQuery;
import hourglass.store.Order;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request, parsed strictly. An unknown, repeated or malformed parameter is
 * refused with a {@link BadParameterException} that has its name, its value and the allowed values.
 */
public final class QueryParameters extends GivenParameters {
  /** Longer than any real field name, and a bound on the number of path segments. */
  private static final int FIELD_CHARS_MAX = 256;

  private static final Pattern STEP = Pattern.compile("([1-9][0-9]{0,5})(ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  /** Checks the decoded values of a request against the names that its endpoint knows. */
  public QueryParameters(Map<String, List<String>> values, Set<String> known) {
    super(values, known);
  }

  /** Parses the id of an event from the path. */
  public static TimeUuid id(String text) {
    return id("id", text);
  }

  private static TimeUuid id(String name, String text) {
    try {
      return TimeUuid.parse(text);
    } catch (IllegalArgumentException e) {
      throw BadParameterException.of(
          name, text, "a time UUID such as 8a2f6c10-c5e5-11f0-9d3a-0242ac120002");
    }
  }

  /**
   * {@code type}, {@code hour} or {@code from} and {@code to}, {@code contains} and {@code where}.
   */
  public Selection selection() {
    return new Selection(types(), range(), text("contains"), text("where"));
  }

  /** All values of {@code type}; empty: every type. */
  public SortedSet<String> types() {
    TreeSet<String> types = new TreeSet<>();
    for (String type : all("type")) {
      types.add(type(type));
    }
    return types;
  }

  private static String type(String type) {
    try {
      return EventType.check(type);
    } catch (IllegalArgumentException e) {
      throw BadParameterException.of(
          "type", type, "an event type of 1 to " + EventType.BYTES_MAX + " bytes of UTF-8");
    }
  }

  private TimeRange range() {
    String hour = one("hour");
    String from = one("from");
    String to = one("to");
    if (hour == null) {
      return range(from, to);
    }
    if (from != null || to != null) {
      throw new BadParameterException(
          "hour: \"" + hour + "\" is given with from or to; want either");
    }
    return TimeRange.of(TimeText.hour("hour", hour));
  }

  private static TimeRange range(@Nullable String from, @Nullable String to) {
    long fromTicks = from == null ? TimeRange.ALL.fromTicks() : TimeText.parse("from", from);
    long toTicks = to == null ? TimeRange.ALL.toTicks() : TimeText.parse("to", to);
    if (fromTicks > toTicks) {
      throw new BadParameterException(
          "from: \"" + from + "\" is after to: \"" + to + "\"; want a range [from, to)");
    }
    return new TimeRange(fromTicks, toTicks);
  }

  /** The query of {@code /events}. */
  public EventQuery events(int defaultLimit) {
    Selection selection = selection();
    Order order = order();
    String cursor = one("cursor");
    boolean partial = partial();
    return new EventQuery(
        selection,
        order,
        limit(defaultLimit),
        cursor == null ? null : EventCursor.parse(cursor, selection, order, partial),
        partial);
  }

  /** {@code partial}: whether the answer may leave out rows that cannot be read. */
  public boolean partial() {
    String partial = one("partial");
    if (partial != null && !partial.equals("allow")) {
      throw BadParameterException.of("partial", partial, "allow");
    }
    return partial != null;
  }

  /** The query of {@code around}; null if absent. */
  public @Nullable AroundQuery around(int defaultLimit) {
    String around = one("around");
    if (around == null) {
      return null;
    }
    TimeUuid id = id("around", around);
    if (one("cursor") != null) {
      throw new BadParameterException(
          "cursor: \"" + one("cursor") + "\" is given with around; want either");
    }
    if (partial()) {
      throw new BadParameterException("partial: \"allow\" is given with around; want either");
    }
    Selection selection = selection();
    TimeRange range = selection.range();
    if (!range.equals(TimeRange.ALL) && !range.contains(id.ticks())) {
      throw BadParameterException.of(
          "around", around, "the id of an event within the range asked for");
    }
    return new AroundQuery(
        id, selection, order(), number("limit", defaultLimit, Integer.MAX_VALUE, ""));
  }

  /**
   * {@code type}, {@code contains}, {@code where} and {@code since}.
   *
   * @param lastEventId the header of a client that reconnects; null if absent
   */
  public TailQuery tail(@Nullable String lastEventId) {
    Selection selection = new Selection(types(), TimeRange.ALL, text("contains"), text("where"));
    String since = one("since");
    return new TailQuery(
        selection,
        since == null ? null : (Long) TimeText.parse("since", since),
        lastEventId == null || lastEventId.isEmpty() ? null : TailPosition.parse(lastEventId));
  }

  private Order order() {
    String order = one("order");
    if (order == null || order.equals("asc")) {
      return Order.ASCENDING;
    }
    if (order.equals("desc")) {
      return Order.DESCENDING;
    }
    throw BadParameterException.of("order", order, "asc or desc");
  }

  private long limit(int defaultLimit) {
    String limit = one("limit");
    return limit != null && limit.equals("all")
        ? EventQuery.ALL
        : number("limit", defaultLimit, Integer.MAX_VALUE, ", or all");
  }

  /** The query of {@code /hits}. */
  public HitsQuery hits() {
    Selection selection = selection();
    if (one("hour") == null && (one("from") == null || one("to") == null)) {
      String missing = one("from") != null ? "to" : one("to") != null ? "from" : "from, to";
      throw new BadParameterException(missing + ": not given; want from and to, or hour");
    }
    return new HitsQuery(selection, stepMillis(), byType());
  }

  private long stepMillis() {
    String step = one("step");
    Matcher matcher = STEP.matcher(step == null ? "1m" : step);
    if (!matcher.matches()) {
      throw BadParameterException.of(
          "step",
          String.valueOf(step),
          "a length of time such as 500ms, 1s, 10s, 1m, 5m, 1h or 1d");
    }
    return Long.parseLong(matcher.group(1)) * UNIT_MILLIS.getOrDefault(matcher.group(2), 0L);
  }

  private boolean byType() {
    String by = one("by");
    if (by != null && !by.equals("type")) {
      throw BadParameterException.of("by", by, "type");
    }
    return by != null;
  }

  /** The query of {@code /stats}. */
  public StatsQuery stats() {
    return new StatsQuery(selection(), field(), byType());
  }

  /** The query of {@code /top}. */
  public TopQuery top() {
    int n = number("n", TopQuery.N_DEFAULT, TopQuery.N_MAX, "");
    return new TopQuery(selection(), field(), n);
  }

  /** {@code field}, as a path from the root of the payload. */
  private String field() {
    String field = one("field");
    String allowed = "a path into the payload such as data.ms";
    if (field == null) {
      throw new BadParameterException("field: not given; want " + allowed);
    }
    if (field.length() > FIELD_CHARS_MAX) {
      throw new BadParameterException(
          "field: %d characters, at most %d".formatted(field.length(), FIELD_CHARS_MAX));
    }
    if (!field.startsWith(CsvField.DATA) || field.equals(CsvField.DATA)) {
      throw BadParameterException.of("field", field, allowed);
    }
    return field.substring(CsvField.DATA.length());
  }

  /** {@code format}; null if the Accept header decides. */
  public @Nullable EventFormat format() {
    String format = one("format");
    if (format == null) {
      return null;
    }
    for (EventFormat known : EventFormat.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(format)) {
        return known;
      }
    }
    throw BadParameterException.of("format", format, "ndjson, json, csv, raw or cloudevents");
  }

  /** Whether {@code download} or {@code filename} asks for a file. */
  public boolean isDownload() {
    String download = one("download");
    if (download != null && !download.equals("true") && !download.equals("false")) {
      throw BadParameterException.of("download", download, "true or false");
    }
    if ("false".equals(download) && one("filename") != null) {
      throw new BadParameterException(
          "filename: \"" + one("filename") + "\" is given with download=false; want either");
    }
    return "true".equals(download) || one("filename") != null;
  }

  /** {@code filename}, the name of a download; null if absent. */
  public @Nullable String fileName() {
    String name = one("filename");
    if (name != null && !FileNames.isPlain(name)) {
      throw BadParameterException.of("filename", name, FileNames.ALLOWED);
    }
    return name;
  }

  /** {@code fields} and {@code csv_safe}, the form of csv, for the negotiated format. */
  public CsvTable table(EventFormat format) {
    String fields = one("fields");
    String safe = one("csv_safe");
    if (safe != null && !safe.equals("true") && !safe.equals("false")) {
      throw BadParameterException.of("csv_safe", safe, "true or false");
    }
    if (format != EventFormat.CSV) {
      refuseWithoutCsv("fields", fields);
      refuseWithoutCsv("csv_safe", safe);
    }
    return new CsvTable(
        fields == null ? CsvField.standard() : CsvField.parse(fields), "true".equals(safe));
  }

  private static void refuseWithoutCsv(String name, @Nullable String given) {
    if (given != null) {
      throw new BadParameterException(
          name + ": \"" + given + "\" is given without format=csv; only csv has columns");
    }
  }
}
