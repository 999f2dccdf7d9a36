package hourglass.store.testkit;

import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A filter on the last member of payloads such as {@code {"copy":1,"n":20}}: its number is 0. */
enum NumberFilter implements FieldFilter {
  ZERO;

  /** How many columns have each value of the member; of those without, under "". */
  static Map<String, Long> counts(FieldValues values) {
    Map<String, Long> counts = new TreeMap<>();
    if (values.absent() > 0) {
      counts.put("", values.absent());
    }
    for (int i = 0; i < values.size(); i++) {
      String json =
          new String(
              values.bytes(),
              values.start(i),
              values.end(i) - values.start(i),
              StandardCharsets.ISO_8859_1);
      counts.merge(json, (long) values.count(i), Long::sum);
    }
    for (Columns columns : values.whole()) {
      counts(Column.unpack(columns)).forEach((json, count) -> counts.merge(json, count, Long::sum));
    }
    return counts;
  }

  static Map<String, Long> counts(List<Column> columns) {
    Map<String, Long> counts = new TreeMap<>();
    for (Column column : columns) {
      int key = column.payload().indexOf("\"n\":");
      String json =
          key < 0 ? "" : column.payload().substring(key + 4, column.payload().length() - 1);
      counts.merge(json, 1L, Long::sum);
    }
    return counts;
  }

  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    String text = new String(payload, from, to - from, StandardCharsets.ISO_8859_1);
    int key = text.indexOf("\"n\":");
    return key < 0 ? new int[2] : new int[] {from + key + 4, to - 1};
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return places[1] - places[0] == 1 && bytes[places[0]] == '0';
  }

  @Override
  public List<List<FieldValue>> required() {
    return List.of(List.of(FieldValue.of("n", BigDecimal.ZERO)));
  }

  @Override
  public boolean surelyMatches(byte[] bytes, int[] places) {
    return mayMatch(bytes, places);
  }
}
