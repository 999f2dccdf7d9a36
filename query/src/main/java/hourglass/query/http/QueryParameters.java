package hourglass.query.http;

import hourglass.bucketing.TimeUuid;
import hourglass.query.AroundQuery;
import hourglass.query.BadParameterException;
import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.FieldsQuery;
import hourglass.query.Grouping;
import hourglass.query.HitsQuery;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TimeRange;
import hourglass.query.TopQuery;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.RowDeadline;
import hourglass.query.tail.TailPosition;
import hourglass.query.tail.TailQuery;
import hourglass.query.typed.TypedFilter;
import hourglass.store.Order;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request, parsed strictly. An unknown, repeated or malformed one is refused
 * with a {@link BadParameterException}, which names the allowed values.
 */
final class QueryParameters {
  private static final String FIELDS_ALLOWED = CsvTable.PATHS_ALLOWED;

  private static final String BY = "by";
  private static final String GROUPS = "groups";

  private static final Pattern LENGTH = Pattern.compile("([1-9][0-9]{0,5})(ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private final ParameterValues values;
  private final @Nullable TypedFilter filter;

  QueryParameters(MultiMap values, Endpoint endpoint) {
    this(new ParameterValues(values, endpoint), null);
  }

  private QueryParameters(ParameterValues values, @Nullable TypedFilter filter) {
    this.values = values;
    this.filter = filter;
  }

  boolean hasTypedFilter() {
    return values.one("q") != null;
  }

  /**
   * Returns these parameters with the meaning of the typed filter. This may take some milliseconds.
   *
   * @throws BadParameterException if that filter, or {@code where} besides it, is invalid
   */
  QueryParameters withFilter() {
    String where = values.one("where");
    if (where != null && !where.isEmpty()) {
      EventFilter.check(where); // else it could make sense together with the other one alone
    }
    return new QueryParameters(values, filter("q"));
  }

  /**
   * Whether an invalid filter is answered with 200, for pages whose browser console logs each 400.
   */
  boolean answersRefusals() {
    return "200".equals(values.choice("on_refused", "400", "200"));
  }

  /** Returns the typed filter in a parameter; an empty filter if the parameter is absent. */
  TypedFilter filter(String name) {
    return TypedFilter.of(Objects.requireNonNullElse(values.one(name), ""));
  }

  Selection selection() {
    return new SelectionParameters(values, filter).selection();
  }

  SortedSet<String> types() {
    return new SelectionParameters(values, null).types();
  }

  static TimeUuid id(String name, String text) {
    try {
      return TimeUuid.parse(text);
    } catch (IllegalArgumentException e) {
      throw BadParameterException.of(
          name, text, "a time UUID such as 8a2f6c10-c5e5-11f0-9d3a-0242ac120002");
    }
  }

  EventQuery events(int defaultLimit) {
    Selection selection = selection();
    if (filter != null && filter.id() != null) {
      long ticks = filter.id().ticks();
      selection = selection.within(selection.range().and(new TimeRange(ticks, ticks + 1)));
    }
    Order order = order();
    String cursor = values.one("cursor");
    boolean partial = partial();
    return new EventQuery(
        selection,
        order,
        "all".equals(values.one("limit"))
            ? EventQuery.ALL
            : values.number("limit", defaultLimit, Integer.MAX_VALUE, ", or all"),
        cursor == null ? null : EventCursor.parse(cursor, selection, order, partial),
        partial,
        null);
  }

  /** Whether unreadable rows may be left out. */
  boolean partial() {
    return values.choice("partial", "allow") != null;
  }

  /** Returns the query for a page around an event; null if none is asked for. */
  @Nullable AroundQuery around(int defaultLimit) {
    String around = values.one("around");
    if (around == null) {
      return null;
    }
    TimeUuid id = id("around", around);
    values.refuse("cursor", "with around; want either");
    if (partial()) {
      values.refuse("partial", "with around; want either");
    }
    Selection selection = selection();
    TimeRange range = selection.range();
    if (!range.equals(TimeRange.ALL) && !range.contains(id.ticks())) {
      throw BadParameterException.of(
          "around", around, "the id of an event within the range asked for");
    }
    return new AroundQuery(
        id, selection, order(), values.number("limit", defaultLimit, Integer.MAX_VALUE, ""));
  }

  /**
   * Returns the query of a tail. Clients that reconnect send {@code lastEventId}; null if absent.
   */
  TailQuery tail(@Nullable String lastEventId) {
    Selection selection = selection();
    String since = values.one("since");
    return new TailQuery(
        selection,
        since == null ? null : (Long) TimeText.parse("since", since),
        lastEventId == null || lastEventId.isEmpty() ? null : TailPosition.parse(lastEventId));
  }

  private Order order() {
    return "desc".equals(values.choice("order", "asc", "desc"))
        ? Order.DESCENDING
        : Order.ASCENDING;
  }

  HitsQuery hits() {
    checkRange();
    return new HitsQuery(selection(), stepMillis(), grouping());
  }

  /** Refuses a query without a range, since its steps need one. */
  private void checkRange() {
    if (values.one("hour") == null && (values.one("from") == null || values.one("to") == null)) {
      String missing =
          values.one("from") != null ? "to" : values.one("to") != null ? "from" : "from, to";
      throw new BadParameterException(missing + ": not given; want from and to, or hour");
    }
  }

  private long stepMillis() {
    String given = values.one("step");
    String step = given == null ? "1m" : given;
    Long millis = millis(step);
    if (millis == null) {
      throw BadParameterException.of(
          "step", step, "a length of time such as 500ms, 1s, 10s, 1m, 5m, 1h or 1d");
    }
    return millis;
  }

  /** Returns a length of time; null if the text is none. */
  private static @Nullable Long millis(String text) {
    Matcher matcher = LENGTH.matcher(text);
    return matcher.matches()
        ? (Long) (Long.parseLong(matcher.group(1)) * UNIT_MILLIS.getOrDefault(matcher.group(2), 0L))
        : null;
  }

  /** Returns how long the query may run, and whether it answers a part then. */
  TimeLimit timeLimit(long maxMillis) {
    String timeout = values.one("timeout");
    if (timeout == null) {
      return TimeLimit.NONE;
    }
    Long millis = millis(timeout);
    if (millis == null || millis > maxMillis) {
      throw BadParameterException.of(
          "timeout",
          timeout,
          "a length of time such as 500ms, 4s or 1m, at most %d ms (query.timeout)"
              .formatted(maxMillis));
    }
    return new TimeLimit(millis, partial() ? new RowDeadline() : null);
  }

  /**
   * Returns the grouping. The number of groups is bounded by default, unless they are types alone.
   */
  private Grouping grouping() {
    List<String> by =
        values.all(BY).stream()
            .map(
                name ->
                    name.equals(Grouping.TYPE)
                        ? name
                        : CsvTable.PATHS + CsvTable.path(BY, name, "type, or " + FIELDS_ALLOWED))
            .toList();
    if (by.isEmpty()) {
      values.refuse(GROUPS, "without by; want both or none");
    }
    if (by.size() > Grouping.BY_MAX) {
      throw new BadParameterException(
          "by: given %d times, at most %d".formatted(by.size(), Grouping.BY_MAX));
    }
    for (int i = 0; i < by.size(); i++) {
      if (by.indexOf(by.get(i)) < i) {
        throw new BadParameterException("by: \"" + by.get(i) + "\" is given twice");
      }
    }
    boolean bounded = !by.isEmpty() && !by.equals(Grouping.OF_TYPES.by());
    int byDefault = bounded ? Grouping.GROUPS_DEFAULT : 0;
    return new Grouping(by, values.number(GROUPS, byDefault, Grouping.GROUPS_MAX, ""));
  }

  StatsQuery stats() {
    boolean hasSteps = values.one("step") != null;
    if (hasSteps) {
      checkRange();
    }
    return new StatsQuery(selection(), field(), grouping(), hasSteps ? stepMillis() : 0);
  }

  TopQuery top() {
    int n = values.number("n", TopQuery.N_DEFAULT, TopQuery.N_MAX, "");
    Grouping grouping = grouping();
    if (grouping.equals(Grouping.OF_TYPES)) {
      grouping = new Grouping(grouping.by(), Grouping.GROUPS_MAX); // they share memory
    }
    return new TopQuery(selection(), field(), n, grouping);
  }

  FieldsQuery fields() {
    int n = values.number("n", FieldsQuery.N_DEFAULT, FieldsQuery.N_MAX, "");
    String sample = values.one("sample");
    if (sample != null && !sample.equals("1")) {
      throw BadParameterException.of("sample", sample, "1, for all events");
    }
    return new FieldsQuery(selection(), prefix(), n, sample == null);
  }

  /** Returns the beginning of the names of fields, from the root of the payload. */
  private String prefix() {
    String prefix = values.text("prefix");
    if (CsvTable.PATHS.startsWith(prefix)) {
      return "";
    }
    if (!prefix.startsWith(CsvTable.PATHS)) {
      throw BadParameterException.of("prefix", prefix, "the beginning of a name such as data.ms");
    }
    return prefix.substring(CsvTable.PATHS.length());
  }

  private String field() {
    String field = values.one("field");
    if (field == null) {
      throw new BadParameterException("field: not given; want " + FIELDS_ALLOWED);
    }
    return CsvTable.path("field", field, FIELDS_ALLOWED);
  }

  /** Returns the format that the parameter names; null if the Accept header decides. */
  @Nullable EventFormat format() {
    String format = values.choice("format", "ndjson", "json", "csv", "raw", "cloudevents");
    return format == null ? null : EventFormat.valueOf(format.toUpperCase(Locale.ROOT));
  }

  /** Whether the answer is a file, which either {@code download} or {@code filename} asks for. */
  boolean isDownload() {
    if (!values.isTrue("download") && values.one("download") != null) {
      values.refuse("filename", "with download=false; want either");
    }
    return values.isTrue("download") || values.one("filename") != null;
  }

  /** Returns the name of the file; null if absent. */
  @Nullable String fileName() {
    String name = values.one("filename");
    if (name != null && !Download.isPlain(name)) {
      throw BadParameterException.of("filename", name, Download.NAMES_ALLOWED);
    }
    return name;
  }

  /**
   * Whether lines of progress are wanted between the events. Only a stream of NDJSON accepts the
   * parameter.
   */
  boolean progress(EventFormat format) {
    boolean wanted = values.isTrue("progress");
    if (format != EventFormat.NDJSON) {
      values.refuse("progress", "without format=ndjson; only ndjson has lines between its events");
    }
    if (wanted && values.one("around") != null) {
      values.refuse("progress", "with around; want either");
    }
    if (wanted && isDownload()) {
      values.refuse("progress", "with a download; a file has events alone");
    }
    return wanted;
  }

  /** Returns the form of CSV. Other formats refuse its parameters. */
  CsvTable table(EventFormat format) {
    String fields = values.one("fields");
    boolean safe = values.isTrue("csv_safe");
    if (format != EventFormat.CSV) {
      values.refuse("fields", "without format=csv; only csv has columns");
      values.refuse("csv_safe", "without format=csv; only csv has columns");
    }
    return CsvTable.parse(fields == null ? CsvTable.STANDARD_FIELDS : fields, safe);
  }
}
