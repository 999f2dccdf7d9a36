package hourglass.query.http;

import hourglass.bucketing.EventType;
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
import hourglass.query.tail.TailPosition;
import hourglass.query.tail.TailQuery;
import hourglass.query.where.json.FieldPath;
import hourglass.store.Order;
import io.vertx.core.MultiMap;
import java.util.Arrays;
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
 * The parameters of one request, parsed strictly. An unknown, repeated or malformed one is a {@link
 * BadParameterException} with the allowed values. Only {@code type} and {@code by} may be repeated.
 */
final class QueryParameters {
  private static final String FIELDS_ALLOWED = "a path into the payload such as data.ms";

  private static final String BY = "by";
  private static final String GROUPS = "groups";

  private static final Pattern STEP = Pattern.compile("([1-9][0-9]{0,5})(ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private final MultiMap values;

  QueryParameters(MultiMap values, Endpoint endpoint) {
    this.values = values;
    for (String name : values.names()) {
      check(name, values.getAll(name), endpoint.parameters());
    }
  }

  private static void check(String name, List<String> given, Set<String> known) {
    if (!known.contains(name)) {
      throw new BadParameterException(
          "%s: \"%s\" is given, but there is no such parameter; want %s"
              .formatted(
                  name,
                  given.get(0),
                  known.isEmpty() ? "none" : "one of " + String.join(", ", new TreeSet<>(known))));
    }
    if (given.size() > 1 && !name.equals("type") && !name.equals("by")) {
      throw new BadParameterException(
          "%s: given %d times (\"%s\", \"%s\"), want it once"
              .formatted(name, given.size(), given.get(0), given.get(1)));
    }
  }

  private @Nullable String one(String name) {
    return values.get(name);
  }

  /** An empty value is refused; an absent one reads as empty. */
  private String text(String name) {
    String text = one(name);
    if (text != null && text.isEmpty()) {
      throw BadParameterException.of(name, text, "a text of at least one character");
    }
    return text == null ? "" : text;
  }

  /** Null if absent. */
  private @Nullable String choice(String name, String... allowed) {
    String value = one(name);
    if (value == null || Arrays.asList(allowed).contains(value)) {
      return value;
    }
    int last = allowed.length - 1;
    String most = String.join(", ", Arrays.copyOf(allowed, last));
    throw BadParameterException.of(
        name, value, most.isEmpty() ? allowed[last] : most + " or " + allowed[last]);
  }

  private boolean isTrue(String name) {
    return "true".equals(choice(name, "true", "false"));
  }

  /** From 1 to {@code max}; the message allows {@code orElse}, too. */
  private int number(String name, int byDefault, int max, String orElse) {
    String text = one(name);
    if (text == null) {
      return byDefault;
    }
    try {
      int number = Integer.parseInt(text);
      if (number > 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below, like a number out of range
    }
    throw BadParameterException.of(name, text, "a number from 1 to " + max + orElse);
  }

  private void refuse(String name, String why) {
    if (one(name) != null) {
      throw new BadParameterException(name + ": \"" + one(name) + "\" is given " + why);
    }
  }

  static TimeUuid id(String name, String text) {
    try {
      return TimeUuid.parse(text);
    } catch (IllegalArgumentException e) {
      throw BadParameterException.of(
          name, text, "a time UUID such as 8a2f6c10-c5e5-11f0-9d3a-0242ac120002");
    }
  }

  Selection selection() {
    String contains = text("contains");
    if (contains.isEmpty()) {
      refuse("icase", "without contains; want both or none");
    }
    return new Selection(types(), range(), contains, isTrue("icase"), text("where"));
  }

  /** Empty: every type. */
  SortedSet<String> types() {
    TreeSet<String> types = new TreeSet<>();
    for (String type : values.getAll("type")) {
      try {
        types.add(EventType.check(type));
      } catch (IllegalArgumentException e) {
        throw BadParameterException.of(
            "type", type, "an event type of 1 to " + EventType.BYTES_MAX + " bytes of UTF-8");
      }
    }
    return types;
  }

  private TimeRange range() {
    String hour = one("hour");
    String from = one("from");
    String to = one("to");
    if (hour != null) {
      if (from != null || to != null) {
        refuse("hour", "with from or to; want either");
      }
      return TimeRange.of(TimeText.hour("hour", hour));
    }
    long fromTicks = from == null ? TimeRange.ALL.fromTicks() : TimeText.parse("from", from);
    long toTicks = to == null ? TimeRange.ALL.toTicks() : TimeText.parse("to", to);
    if (fromTicks > toTicks) {
      throw new BadParameterException(
          "from: \"" + from + "\" is after to: \"" + to + "\"; want a range [from, to)");
    }
    return new TimeRange(fromTicks, toTicks);
  }

  EventQuery events(int defaultLimit) {
    Selection selection = selection();
    Order order = order();
    String cursor = one("cursor");
    boolean partial = partial();
    return new EventQuery(
        selection,
        order,
        "all".equals(one("limit"))
            ? EventQuery.ALL
            : number("limit", defaultLimit, Integer.MAX_VALUE, ", or all"),
        cursor == null ? null : EventCursor.parse(cursor, selection, order, partial),
        partial,
        null);
  }

  /** Whether unreadable rows may be left out. */
  boolean partial() {
    return choice("partial", "allow") != null;
  }

  /** Null if absent. */
  @Nullable AroundQuery around(int defaultLimit) {
    String around = one("around");
    if (around == null) {
      return null;
    }
    TimeUuid id = id("around", around);
    refuse("cursor", "with around; want either");
    if (partial()) {
      refuse("partial", "with around; want either");
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

  /** Clients that reconnect send {@code lastEventId}; null if absent. */
  TailQuery tail(@Nullable String lastEventId) {
    Selection selection = selection();
    String since = one("since");
    return new TailQuery(
        selection,
        since == null ? null : (Long) TimeText.parse("since", since),
        lastEventId == null || lastEventId.isEmpty() ? null : TailPosition.parse(lastEventId));
  }

  private Order order() {
    return "desc".equals(choice("order", "asc", "desc")) ? Order.DESCENDING : Order.ASCENDING;
  }

  HitsQuery hits() {
    checkRange();
    return new HitsQuery(selection(), stepMillis(), grouping());
  }

  /** Steps need a range. */
  private void checkRange() {
    if (one("hour") == null && (one("from") == null || one("to") == null)) {
      String missing = one("from") != null ? "to" : one("to") != null ? "from" : "from, to";
      throw new BadParameterException(missing + ": not given; want from and to, or hour");
    }
  }

  private long stepMillis() {
    String given = one("step");
    String step = given == null ? "1m" : given;
    Matcher matcher = STEP.matcher(step);
    if (!matcher.matches()) {
      throw BadParameterException.of(
          "step", step, "a length of time such as 500ms, 1s, 10s, 1m, 5m, 1h or 1d");
    }
    return Long.parseLong(matcher.group(1)) * UNIT_MILLIS.getOrDefault(matcher.group(2), 0L);
  }

  /** Groups are bounded by default, except by type alone. */
  private Grouping grouping() {
    List<String> by = values.getAll(BY);
    if (by.isEmpty()) {
      refuse(GROUPS, "without by; want both or none");
    }
    if (by.size() > Grouping.BY_MAX) {
      throw new BadParameterException(
          "by: given %d times, at most %d".formatted(by.size(), Grouping.BY_MAX));
    }
    for (int i = 0; i < by.size(); i++) {
      if (by.indexOf(by.get(i)) < i) {
        throw new BadParameterException("by: \"" + by.get(i) + "\" is given twice");
      }
      if (!by.get(i).equals(Grouping.TYPE)) {
        checkField(BY, by.get(i), "type, or " + FIELDS_ALLOWED);
      }
    }
    boolean bounded = !by.isEmpty() && !by.equals(Grouping.OF_TYPES.by());
    int byDefault = bounded ? Grouping.GROUPS_DEFAULT : 0;
    return new Grouping(by, number(GROUPS, byDefault, Grouping.GROUPS_MAX, ""));
  }

  StatsQuery stats() {
    boolean hasSteps = one("step") != null;
    if (hasSteps) {
      checkRange();
    }
    return new StatsQuery(selection(), field(), grouping(), hasSteps ? stepMillis() : 0);
  }

  TopQuery top() {
    int n = number("n", TopQuery.N_DEFAULT, TopQuery.N_MAX, "");
    Grouping grouping = grouping();
    if (grouping.equals(Grouping.OF_TYPES)) {
      grouping = new Grouping(grouping.by(), Grouping.GROUPS_MAX); // they share memory
    }
    return new TopQuery(selection(), field(), n, grouping);
  }

  FieldsQuery fields() {
    int n = number("n", FieldsQuery.N_DEFAULT, FieldsQuery.N_MAX, "");
    String sample = one("sample");
    if (sample != null && !sample.equals("1")) {
      throw BadParameterException.of("sample", sample, "1, for all events");
    }
    return new FieldsQuery(selection(), prefix(), n, sample == null);
  }

  /** From the root of the payload. */
  private String prefix() {
    String prefix = text("prefix");
    if (CsvTable.PATHS.startsWith(prefix)) {
      return "";
    }
    if (!prefix.startsWith(CsvTable.PATHS)) {
      throw BadParameterException.of("prefix", prefix, "the beginning of a name such as data.ms");
    }
    return prefix.substring(CsvTable.PATHS.length());
  }

  private String field() {
    String field = one("field");
    if (field == null) {
      throw new BadParameterException("field: not given; want " + FIELDS_ALLOWED);
    }
    checkField("field", field, FIELDS_ALLOWED);
    return field.substring(CsvTable.PATHS.length());
  }

  private static void checkField(String name, String field, String allowed) {
    if (field.length() > FieldPath.CHARS_MAX) {
      throw new BadParameterException(
          "%s: %d characters, at most %d".formatted(name, field.length(), FieldPath.CHARS_MAX));
    }
    if (!field.startsWith(CsvTable.PATHS) || field.equals(CsvTable.PATHS)) {
      throw BadParameterException.of(name, field, allowed);
    }
  }

  /** Null if the Accept header decides. */
  @Nullable EventFormat format() {
    String format = choice("format", "ndjson", "json", "csv", "raw", "cloudevents");
    return format == null ? null : EventFormat.valueOf(format.toUpperCase(Locale.ROOT));
  }

  /** Either {@code download} or {@code filename} asks for a file. */
  boolean isDownload() {
    if (!isTrue("download") && one("download") != null) {
      refuse("filename", "with download=false; want either");
    }
    return isTrue("download") || one("filename") != null;
  }

  /** Null if absent. */
  @Nullable String fileName() {
    String name = one("filename");
    if (name != null && !Download.isPlain(name)) {
      throw BadParameterException.of("filename", name, Download.NAMES_ALLOWED);
    }
    return name;
  }

  /** Whether lines of progress stand between the events; other answers than streams refuse it. */
  boolean progress(EventFormat format) {
    boolean wanted = isTrue("progress");
    if (format != EventFormat.NDJSON) {
      refuse("progress", "without format=ndjson; only ndjson has lines between its events");
    }
    if (wanted && one("around") != null) {
      refuse("progress", "with around; want either");
    }
    if (wanted && isDownload()) {
      refuse("progress", "with a download; a file has events alone");
    }
    return wanted;
  }

  /** The form of csv; other formats refuse its parameters. */
  CsvTable table(EventFormat format) {
    String fields = one("fields");
    boolean safe = isTrue("csv_safe");
    if (format != EventFormat.CSV) {
      refuse("fields", "without format=csv; only csv has columns");
      refuse("csv_safe", "without format=csv; only csv has columns");
    }
    return CsvTable.parse(fields == null ? CsvTable.STANDARD_FIELDS : fields, safe);
  }
}
