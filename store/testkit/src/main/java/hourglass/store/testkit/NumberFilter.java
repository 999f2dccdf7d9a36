package hourglass.store.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldFinder;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import hourglass.store.TextFilter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A filter on the last member of payloads such as {@code {"copy":1,"n":20}}: its number is 0. */
enum NumberFilter implements FieldFilter {
  ZERO;

  private static final FieldFinder COPY =
      (payload, from, to) -> {
        String text = new String(payload, from, to - from, ISO_8859_1);
        return text.startsWith("{\"copy\":")
            ? Spans.of(from + 8, from + text.indexOf(','))
            : new Spans(1);
      };

  private static final List<FieldFinder> FIELDS = List.of(COPY, ZERO::find);

  /** A filter on a text instead. */
  static FieldFilter text(String text) {
    return new TextFilter(new ByteSearch(text.getBytes(ISO_8859_1), false));
  }

  /** Asks for the values of both members. */
  static FieldQuery query(CountQuery part, boolean filtered) {
    return new FieldQuery(part, FIELDS, filtered ? ZERO : null);
  }

  /** How many columns of each step have each value of the member, as {@code step:value}. */
  static Map<String, Long> counts(FieldValues values, CountQuery part, boolean filtered) {
    Map<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < values.size(); i++) {
      StringBuilder entry = new StringBuilder().append(values.step(i));
      for (int field = 0; field < FIELDS.size(); field++) {
        int from = values.start(i, field);
        int length = values.end(i, field) - from;
        entry.append(':').append(new String(values.bytes(), from, length, ISO_8859_1));
      }
      counts.merge(entry.toString(), (long) values.count(i), Long::sum);
    }
    for (Columns columns : values.whole()) {
      List<Column> matching =
          Column.unpack(columns).stream().filter(column -> !filtered || matches(column)).toList();
      counts(matching, part).forEach((entry, count) -> counts.merge(entry, count, Long::sum));
    }
    return counts;
  }

  static boolean matches(Column column) {
    return column.payload().endsWith("\"n\":0}");
  }

  /** The same of columns, as payloads. */
  static Map<String, Long> counts(List<Column> columns, CountQuery part) {
    Map<String, Long> counts = new TreeMap<>();
    for (Column column : columns) {
      byte[] payload = column.payload().getBytes(ISO_8859_1);
      StringBuilder entry = new StringBuilder().append(part.step(column.name().ticks()));
      for (FieldFinder field : FIELDS) {
        Spans place = requireNonNull(field.find(payload, 0, payload.length));
        entry
            .append(':')
            .append(new String(payload, place.start(0), place.end(0) - place.start(0), ISO_8859_1));
      }
      counts.merge(entry.toString(), 1L, Long::sum);
    }
    return counts;
  }

  @Override
  public @Nullable Spans find(byte[] payload, int from, int to) {
    String text = new String(payload, from, to - from, ISO_8859_1);
    int key = text.indexOf("\"n\":");
    return key < 0 ? new Spans(1) : Spans.of(from + key + 4, to - 1);
  }

  @Override
  public boolean mayMatch(byte[] bytes, Spans places) {
    return places.end(0) - places.start(0) == 1 && bytes[places.start(0)] == '0';
  }

  @Override
  public List<List<FieldValue>> required() {
    return List.of(List.of(FieldValue.of("n", BigDecimal.ZERO)));
  }

  @Override
  public boolean surelyMatches(byte[] bytes, Spans places) {
    return mayMatch(bytes, places);
  }
}
