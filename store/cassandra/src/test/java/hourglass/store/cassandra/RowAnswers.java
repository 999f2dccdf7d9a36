package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldFinder;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The answers of a store to every kind of question about a row, to be compared with those of
 * another store. Payloads are such as {@code {"n":17,"text":"..."}}.
 *
 * @param needle columns whose number is {@link #NEEDLE}, that of the second 17
 * @param numbers how many columns of each half of the hour have each number
 */
record RowAnswers(
    List<String> ascending,
    List<String> descending,
    List<String> names,
    List<String> middle,
    List<String> needle,
    RowCounts byMinute,
    RowCounts inOddSteps,
    Map<String, Long> numbers,
    Map<String, Long> needleNumbers) {
  static final int NEEDLE = number(17);

  private static final FieldFinder NUMBER = RowAnswers::findNumber;

  /** Far from that of the number before, so that filters of pages tell them apart. */
  static int number(int i) {
    return (int) (i * 0x9E3779B97F4A7C15L >>> 36);
  }

  static RowAnswers of(WideColumnStore store, RowKey row) {
    return of(
        row,
        query -> walk(query, store::slice),
        query -> join(store.count(query)),
        query -> join(store.values(query)));
  }

  static RowAnswers of(
      RowKey row,
      Function<SliceQuery, List<String>> slices,
      Function<CountQuery, RowCounts> counts,
      Function<FieldQuery, FieldValues> values) {
    ColumnRange hour = ColumnRange.of(row.hour());
    long start = row.hour().startTicks();
    ColumnRange middle = middle(row);
    CountQuery byHalf = byHalf(row);
    FieldFilter filter = new NumberIs(NEEDLE);
    return new RowAnswers(
        slices.apply(new SliceQuery(row, hour, Order.ASCENDING, 5_000, Projection.COLUMNS)),
        slices.apply(new SliceQuery(row, hour, Order.DESCENDING, 700, Projection.COLUMNS)),
        slices.apply(new SliceQuery(row, hour, Order.ASCENDING, 900, Projection.NAMES)),
        slices.apply(new SliceQuery(row, middle, Order.DESCENDING, 300, Projection.COLUMNS)),
        slices
            .apply(
                new SliceQuery(row, hour, Order.ASCENDING, 100, Projection.COLUMNS)
                    .withFilter(new SliceQuery.Filter(filter, hour)))
            .stream()
            .filter(column -> column.contains("{\"n\":" + NEEDLE + ","))
            .toList(),
        counts.apply(new CountQuery(row, hour, start, Ticks.PER_MINUTE)),
        counts.apply(inOddSteps(row)),
        numbers(values.apply(new FieldQuery(byHalf, List.of(NUMBER), null)), byHalf, false),
        numbers(values.apply(new FieldQuery(byHalf, List.of(NUMBER), filter)), byHalf, true));
  }

  private static ColumnRange middle(RowKey row) {
    long start = row.hour().startTicks();
    return new ColumnRange(
        TimeUuid.first(start + 7 * Ticks.PER_MINUTE + 1),
        TimeUuid.first(start + 43 * Ticks.PER_MINUTE + 31 * Ticks.PER_SECOND));
  }

  private static CountQuery byHalf(RowKey row) {
    long start = row.hour().startTicks();
    return new CountQuery(row, ColumnRange.of(row.hour()), start, Ticks.PER_HOUR / 2);
  }

  /** Counts that heads do not tell. */
  static CountQuery inOddSteps(RowKey row) {
    long origin = row.hour().startTicks() - 12_345;
    return new CountQuery(row, middle(row), origin, 7 * Ticks.PER_SECOND + 1);
  }

  static FieldQuery numbers(RowKey row) {
    return new FieldQuery(byHalf(row), List.of(NUMBER), null);
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** All columns that a query asks for, in its order, slice by slice. */
  static List<String> walk(SliceQuery query, Function<SliceQuery, CompletionStage<Slice>> slices) {
    List<String> found = new ArrayList<>();
    SliceQuery rest = query;
    for (boolean more = true; more; ) {
      Slice slice = join(slices.apply(rest));
      Columns columns = slice.columns();
      for (int i = 0; i < columns.size(); i++) {
        found.add(text(columns, query.order() == Order.ASCENDING ? i : columns.size() - 1 - i));
      }
      more = slice.more();
      rest = more ? rest.after(slice) : rest;
    }
    return found;
  }

  private static String text(Columns columns, int i) {
    return columns.id(i)
        + (columns.bytes().length == 0
            ? ":" + columns.length(i)
            : "=" + new String(columns.payload(i), ISO_8859_1));
  }

  private static Map<String, Long> numbers(
      FieldValues values, CountQuery part, boolean onlyNeedle) {
    Map<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < values.size(); i++) {
      int from = values.start(i, 0);
      String number = new String(values.bytes(), from, values.end(i, 0) - from, ISO_8859_1);
      counts.merge(values.step(i) + ":" + number, (long) values.count(i), Long::sum);
    }
    for (Columns columns : values.whole()) {
      for (int i = 0; i < columns.size(); i++) {
        byte[] payload = columns.payload(i);
        Spans place = findNumber(payload, 0, payload.length);
        String number =
            new String(payload, place.start(0), place.end(0) - place.start(0), ISO_8859_1);
        if (!onlyNeedle || number.equals("" + NEEDLE)) {
          counts.merge(part.step(columns.ticks(i)) + ":" + number, 1L, Long::sum);
        }
      }
    }
    return counts;
  }

  private static Spans findNumber(byte[] payload, int from, int to) {
    int end = from + 5;
    while (end < to && payload[end] != ',') {
      end++;
    }
    return Spans.of(from + 5, end);
  }

  /** A filter that pages may rule out by their values. */
  record NumberIs(int number) implements FieldFilter {
    @Override
    public Spans find(byte[] payload, int from, int to) {
      return findNumber(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return new String(bytes, places.start(0), places.end(0) - places.start(0), ISO_8859_1)
          .equals("" + number);
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("n", BigDecimal.valueOf(number))));
    }
  }
}
