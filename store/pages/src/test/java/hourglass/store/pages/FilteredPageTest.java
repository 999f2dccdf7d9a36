package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
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
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A page read through a filter returns every matching column unchanged. */
class FilteredPageTest {
  private static final int ROUNDS = Tier.length(100, 500, 1_500);
  static final RowKey ROW = new RowKey(Hour.parse("2026-11-20T08"), "orders", 0);

  private final PageCodec codec = new PageCodec();
  private long leftOut;
  private long certain;
  private long matching;
  private long countedApart;

  @AfterEach
  void close() {
    codec.close();
  }

  @Test
  void everyMatchingColumnIsReturned() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns = awkward(random);
      byte[] page = codec.encode(columns);
      check(page, columns, FieldOfPayloads.of("a"));
      check(page, columns, FieldOfPayloads.of("b", "a"));
      check(page, columns, FieldOfPayloads.of("b", "b", "c"));
    }
    assertThat(leftOut).isGreaterThan(matching / 2); // of what may be left out, most is
    assertThat(matching).isGreaterThan(ROUNDS);
  }

  @Test
  void fieldsNestedBeyondTheColumnDepthAreFound() {
    String open = "{\"a\":".repeat(12);
    String close = "}".repeat(12);
    Columns columns = of(i -> open + i % 50 + close, 400);
    byte[] page = codec.encode(columns);
    String[] path = new String[12];
    Arrays.fill(path, "a");
    check(page, columns, FieldOfPayloads.of(path));
    assertThat(matching).isPositive();
  }

  @Test
  void numbersOutOfBoundsAreSkippedUnread() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS / 5; n++) {
      int whole = 1 + random.nextInt(500);
      int scale = random.nextInt(4);
      boolean isMixed = random.nextBoolean();
      Columns columns =
          of(
              i ->
                  isMixed && i % 5 == 0
                      ? "{\"b\":%d,\"a\":\"%d\"}".formatted(i % 3, i)
                      : "{\"a\":%s}"
                          .formatted(BigDecimal.valueOf(random.nextInt(whole) - whole / 3, scale)),
              200);
      double least = (random.nextInt(whole) - whole / 3) / Math.pow(10, random.nextInt(4));
      byte[] page = codec.encode(columns);
      check(page, columns, new BoundedField(least, least + random.nextInt(3)));
      check(page, columns, new BoundedField(least, Double.POSITIVE_INFINITY));
      check(page, columns, new BoundedField(Double.NEGATIVE_INFINITY, least));
    }
    assertThat(matching).isGreaterThan(ROUNDS);
    assertThat(leftOut).isGreaterThan(ROUNDS);
    assertThat(certain).isGreaterThan(ROUNDS);
  }

  /** The fields are of all kinds, in each column or in some, with ascending and other numbers. */
  @Test
  void aFewColumnsAreReadWithoutTheOthers() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS / 10; n++) {
      int every = 1 + random.nextInt(300);
      boolean isMixed = random.nextBoolean();
      boolean hasShortPaths = random.nextBoolean();
      Columns columns =
          of(
              i -> {
                String path = hasShortPaths && i % 3 == 0 ? "/health" : "/api/" + i * 7 % 90 + "/x";
                String rest = isMixed && i % 4 == 0 ? "" : ",\"z\":" + random.nextInt(1 << 20);
                return """
                {"a":%d,"at":"2026-11-20T08:%02d:%02d.%03dZ","id":"%s","path":"%s","n":%d,"ms":%s,"t":"%s"%s}"""
                    .formatted(
                        i % every,
                        i / 60,
                        i % 60,
                        random.nextInt(1_000),
                        new UUID(random.nextLong(), random.nextLong()),
                        path,
                        1_000_000 + i * 3L,
                        BigDecimal.valueOf(random.nextInt(100_000), 2),
                        "x".repeat(random.nextInt(4)) + Long.toString(random.nextLong(), 36),
                        rest);
              },
              600);
      byte[] page = codec.encode(columns);
      check(page, columns, EqualField.of(BigDecimal.valueOf(random.nextInt(every)), "a"));
    }
    assertThat(matching).isGreaterThan(ROUNDS / 10);
    assertThat(leftOut).isGreaterThan(matching);
  }

  /**
   * The hexadecimals have all lengths and styles, beside strings and numbers that resemble them.
   */
  @Test
  void hexadecimalsAreComparedAsNumbers() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS; n++) {
      int digits = 1 + random.nextInt(HexValues.DIGITS_MAX);
      int style = random.nextInt(3);
      int last = random.nextInt(1 << random.nextInt(10) + 1);
      IntFunction<String> hex =
          i -> {
            String text = "%s%x".formatted("f".repeat(digits), i);
            text = text.substring(text.length() - digits);
            return switch (style) {
              case 0 -> text;
              case 1 -> text.toUpperCase(Locale.ROOT);
              default -> new UUID(i * 0x9e3779b97f4a7c15L, last).toString();
            };
          };
      boolean isMixed = random.nextBoolean();
      Columns columns =
          of(
              i ->
                  isMixed && i % 7 == 0
                      ? "{\"b\":1,\"a\":%d}".formatted(i)
                      : "{\"a\":\"%s\"}".formatted(hex.apply(i * 31)),
              200);
      byte[] page = codec.encode(columns);
      String one = hex.apply(31 * random.nextInt(200));
      check(page, columns, EqualField.of(one, "a"));
      check(page, columns, EqualField.of(one + "0", "a"));
      check(page, columns, EqualField.of(one.substring(1) + "f", "a"));
      check(page, columns, EqualField.of(one.toUpperCase(Locale.ROOT), "a"));
    }
    assertThat(matching).isGreaterThan(ROUNDS / 2);
    assertThat(leftOut).isGreaterThan(ROUNDS);
  }

  @Test
  void aPageWithoutARequiredValueIsLeftOut() {
    Random random = Seed.random(this);
    int leftOutUnread = 0;
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns = awkward(random);
      byte[] page = codec.encode(columns);
      for (int i = 0; i < 5; i++) {
        int of = random.nextInt(300);
        FieldFilter filter =
            switch (random.nextInt(4)) {
              case 0 -> EqualField.of(BigDecimal.valueOf(of, 0), "a");
              case 1 -> EqualField.of(BigDecimal.valueOf(of, 2), "b");
              case 2 -> EqualField.of("%08x".formatted(of), "b", "a");
              default -> EqualField.of("/api/%d/3".formatted(of), "a");
            };
        check(page, columns, filter);
        leftOutUnread += codec.mayMatch(PageBytes.of(page), filter) ? 0 : 1;
      }
    }
    assertThat(matching).isGreaterThan(ROUNDS / 8);
    assertThat(leftOutUnread).isGreaterThan(ROUNDS * 3 / 4);
  }

  /** The values of fields are those of whole payloads, by step, filtered or not. */
  @Test
  void valuesOfFieldsAreCounted() {
    Random random = Seed.random(this);
    List<FieldOfPayloads> all =
        List.of(
            FieldOfPayloads.of("a"),
            FieldOfPayloads.of("b", "a"),
            FieldOfPayloads.of("b", "b", "c"));
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns = awkward(random);
      byte[] page = codec.encode(columns);
      List<FieldOfPayloads> fields = all.subList(random.nextInt(3), 3);
      FieldFilter filter =
          switch (random.nextInt(4)) {
            case 0 -> EqualField.of(BigDecimal.valueOf(random.nextInt(5)), "a");
            case 1 -> EqualField.of("x", "b", "a");
            case 2 -> new BoundedField(random.nextInt(300), Double.POSITIVE_INFINITY);
            default -> null;
          };
      checkValues(page, columns, fields, filter, part(random));
      checkValues(page, columns, List.of(), filter, part(random));
    }
    assertThat(countedApart).isGreaterThan(ROUNDS);
  }

  /**
   * The decimals repeat or do not, have all signs and sizes, and are alone or beside a dictionary.
   */
  @Test
  void equalDecimalsAreCountedTogether() {
    Random random = Seed.random(this);
    FieldOfPayloads decimal = FieldOfPayloads.of("a");
    FieldOfPayloads host = FieldOfPayloads.of("h");
    for (int n = 0; n < 20; n++) {
      long least = random.nextInt(3) == 0 ? -100 : random.nextLong() >>> 1 + random.nextInt(50);
      int distinct = 300 << random.nextInt(8);
      int scale = random.nextInt(3);
      boolean isText = random.nextBoolean();
      Columns columns =
          of(
              i -> {
                long number = Math.min(least, Long.MAX_VALUE >>> 4) + random.nextInt(distinct);
                String text = BigDecimal.valueOf(number, scale).toPlainString();
                return i % 50 == 0
                    ? "{\"h\":\"none\"}"
                    : "{\"a\":%s,\"h\":\"web-%d\"}"
                        .formatted(isText ? '"' + text + '"' : text, random.nextInt(3));
              },
              2_000);
      byte[] page = codec.encode(columns);
      FieldFilter filter = random.nextBoolean() ? EqualField.of("web-1", "h") : null;
      checkValues(page, columns, List.of(decimal), filter, part(random));
      checkValues(page, columns, List.of(host, decimal), filter, part(random));
      checkValues(page, columns, List.of(decimal, decimal), filter, CountQuery.all(ROW));
    }
    assertThat(countedApart).isPositive();
  }

  @Test
  void repeatedDecimalsMakeFewEntries() {
    Columns columns = of(i -> "{\"a\":%d.5}".formatted(i * 31 % 300), 2_000);
    FieldValues values = new FieldValues(1);
    FieldFinder field = (payload, from, to) -> Spans.of(from + "{\"a\":".length(), to - 1);
    codec.values(
        codec.encode(columns), new FieldQuery(CountQuery.all(ROW), List.of(field), null), values);
    assertThat(values.size()).isEqualTo(300);
  }

  private static CountQuery part(Random random) {
    long start = ROW.hour().startTicks();
    TimeUuid from = TimeUuid.first(start + random.nextInt(100) * Ticks.PER_SECOND);
    TimeUuid to = TimeUuid.first(start + (60 + random.nextInt(300)) * Ticks.PER_SECOND);
    ColumnRange range =
        random.nextBoolean() ? ColumnRange.of(ROW.hour()) : new ColumnRange(from, to);
    long step =
        switch (random.nextInt(4)) {
          case 0 -> Ticks.PER_HOUR;
          case 1 -> (1 + random.nextInt(3)) * Ticks.PER_MINUTE;
          default -> (1 + random.nextInt(99)) * Ticks.PER_SECOND;
        };
    return new CountQuery(ROW, range, start - random.nextInt(3) * Ticks.PER_MINUTE, step);
  }

  /** Both values belong to one field of the page, and the finder needs the last. */
  @Test
  void duplicateKeysAreDistinguished() {
    Columns columns = of(i -> "{\"k\":\"a%d\",\"k\":\"b%d\"}".formatted(i % 3, i % 3), 90);
    FieldFinder last =
        (payload, from, to) -> {
          String json = new String(payload, from, to - from, StandardCharsets.UTF_8);
          return Spans.of(from + json.lastIndexOf(':') + 1, to - 1);
        };
    assertThat(counts(columns, last))
        .isEqualTo(Map.of("\"b0\"|", 30L, "\"b1\"|", 30L, "\"b2\"|", 30L));
  }

  @Test
  void aFieldMayBeRequestedTwice() {
    String text = "x".repeat(100_000);
    Columns columns = of(i -> "{\"k\":\"%s\"}".formatted(i == 3 ? text : "s"), 8);
    FieldFinder field =
        (payload, from, to) -> Spans.of(from + "{\"k\":".length(), to - "}".length());
    assertThat(counts(columns, field, field))
        .isEqualTo(Map.of("\"s\"|\"s\"|", 7L, "\"%s\"|\"%s\"|".formatted(text, text), 1L));
  }

  private Map<String, Long> counts(Columns columns, FieldFinder... finders) {
    FieldValues values = new FieldValues(finders.length);
    FieldQuery query = new FieldQuery(CountQuery.all(ROW), List.of(finders), null);
    codec.values(codec.encode(columns), query, values);
    assertThat(values.whole()).isEmpty();
    Map<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < values.size(); i++) {
      StringBuilder entry = new StringBuilder();
      for (int f = 0; f < finders.length; f++) {
        entry.append(json(values.bytes(), values.start(i, f), values.end(i, f))).append('|');
      }
      counts.merge(entry.toString(), (long) values.count(i), Long::sum);
    }
    return counts;
  }

  /** Payloads beyond the last shape are whole, and may be objects after a space. */
  @Test
  void fieldsOfWholePayloadsAreFound() {
    Columns columns =
        of(
            i ->
                i % 70 < 63
                    ? "{\"key-of-shape-%d\":%d}".formatted(i % 70, i)
                    : " {\"k\":1,\"a\":%d}".formatted(i % 7),
            2_000);
    byte[] page = codec.encode(columns);
    check(page, columns, FieldOfPayloads.of("a"));
    checkValues(page, columns, List.of(FieldOfPayloads.of("a")), null, CountQuery.all(ROW));
    assertThat(matching).isPositive();
  }

  private void checkValues(
      byte[] page,
      Columns columns,
      List<FieldOfPayloads> fields,
      @Nullable FieldFilter filter,
      CountQuery part) {
    for (boolean isOfPayload : new boolean[] {false, true}) {
      List<FieldFinder> finders = new ArrayList<>();
      fields.forEach(field -> finders.add(new Finder(field, isOfPayload)));
      FieldValues values = new FieldValues(fields.size());
      FieldQuery query = new FieldQuery(part, finders, filter);
      if (filter == null || codec.mayMatch(PageBytes.of(page), filter)) {
        codec.values(page, query, values);
      }
      Map<String, Long> found = new TreeMap<>();
      for (int i = 0; i < values.size(); i++) {
        StringBuilder entry = new StringBuilder().append(values.step(i));
        for (int f = 0; f < fields.size(); f++) {
          int from = values.start(i, f);
          int to = values.end(i, f);
          entry.append('|').append(to == from ? "absent" : json(values.bytes(), from, to));
        }
        found.merge(entry.toString(), (long) values.count(i), Long::sum);
      }
      countedApart += values.size();
      values.whole().forEach(each -> count(each, fields, filter, part, found));
      Map<String, Long> wanted = new TreeMap<>();
      count(columns.within(part.range()), fields, filter, part, wanted);
      assertThat(found).as("%s", query).isEqualTo(wanted);
    }
  }

  record Finder(FieldOfPayloads field, boolean mayBeOfPayload) implements FieldFinder {
    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return field.place(payload, from, to);
    }

    @Override
    public boolean isOfPayload() {
      return mayBeOfPayload && field.path().size() == 1;
    }
  }

  private static void count(
      Columns columns,
      List<FieldOfPayloads> fields,
      @Nullable FieldFilter filter,
      CountQuery part,
      Map<String, Long> into) {
    for (int i = 0; i < columns.size(); i++) {
      if (filter != null && !filter.mayMatch(columns, i)) {
        continue;
      }
      byte[] payload = columns.payload(i);
      StringBuilder entry = new StringBuilder().append(part.step(columns.ticks(i)));
      for (FieldOfPayloads field : fields) {
        Spans place = field.place(payload, 0, payload.length);
        entry
            .append('|')
            .append(
                place == null
                    ? "odd"
                    : place.end(0) == 0 ? "absent" : json(payload, place.start(0), place.end(0)));
      }
      into.merge(entry.toString(), 1L, Long::sum);
    }
  }

  /** Returns the value; only the first byte of an object counts. */
  private static String json(byte[] bytes, int from, int to) {
    return bytes[from] == '{' ? "{" : new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  @Test
  void equalNumbersAreFoundInAnySpelling() {
    for (String spelling : List.of("5", "5.0", "5.000", "50e-1", "5.00000000000000000000")) {
      Columns columns = of(i -> "{\"a\":" + (i == 77 ? spelling : i + 100 + ".5") + "}", 400);
      check(codec.encode(columns), columns, EqualField.of(new BigDecimal("5"), "a"));
    }
    assertThat(matching).isEqualTo(5);
  }

  @Test
  void aTextIsFoundWithEscapes() {
    Columns columns =
        of(i -> "{\"a\":\"" + (i == 77 ? "\\u0078" : Integer.toString(i, 36)) + "z\"}", 400);
    check(codec.encode(columns), columns, EqualField.of("xz", "a"));
    assertThat(matching).isEqualTo(1 + 1); // the escaped one, and 33 in base 36
  }

  /** The keys "Aa" and "BB" have one hash in the path of a field. */
  @Test
  void fieldsWithOneHashAreNotConfused() {
    Columns columns = of(i -> i % 2 == 0 ? "{\"Aa\":" + i + "}" : "{\"BB\":" + i + "}", 400);
    byte[] page = codec.encode(columns);
    check(page, columns, EqualField.of(BigDecimal.valueOf(7), "BB"));
    check(page, columns, EqualField.of(BigDecimal.valueOf(8), "Aa"));
    assertThat(matching).isEqualTo(2);
  }

  /** Then the values of both keys are of one field, and bounds are of one of them alone. */
  @Test
  void keysWithOneHashInOnePayloadAreNotConfused() {
    Columns numbers = of(i -> "{\"Aa\":%d,\"BB\":%d}".formatted(i, i), 400);
    FieldFilter one =
        new FieldFilter() {
          private final FieldFilter equal = EqualField.of(BigDecimal.valueOf(7), "BB");

          @Override
          public @Nullable Spans find(byte[] payload, int from, int to) {
            return equal.find(payload, from, to);
          }

          @Override
          public boolean mayMatch(byte[] bytes, Spans places) {
            return equal.mayMatch(bytes, places);
          }

          @Override
          public double least(int field) {
            return 7;
          }

          @Override
          public double greatest(int field) {
            return 7;
          }
        };
    Columns apart = of(i -> "{\"Aa\":%d,\"BB\":%d}".formatted(i + 1_000, i), 400);
    check(codec.encode(apart), apart, one);
    Columns hex = of(i -> "{\"Aa\":\"%08x\",\"BB\":\"%08x\"}".formatted(i + 1_000, i), 400);
    check(codec.encode(hex), hex, EqualField.of("%08x".formatted(7), "BB"));
    check(codec.encode(numbers), numbers, one);
    assertThat(matching).isEqualTo(3);
  }

  @Test
  void boundsApplyOnlyIfTheFilterRequiresThem() {
    Columns columns = of(i -> (i % 2 == 0 ? "{\"a\":%d}" : "{\"a\":%d,\"b\":1}").formatted(i), 400);
    FieldFilter bounded =
        new FieldFilter() {
          private final FieldOfPayloads a = FieldOfPayloads.of("a");
          private final FieldOfPayloads b = FieldOfPayloads.of("b");

          @Override
          public @Nullable Spans find(byte[] payload, int from, int to) {
            Spans ofA = a.find(payload, from, to);
            Spans ofB = b.find(payload, from, to);
            if (ofA == null || ofB == null) {
              return null;
            }
            Spans both = new Spans(2);
            both.set(0, ofA.start(0), ofA.end(0));
            both.set(1, ofB.start(0), ofB.end(0));
            return both;
          }

          @Override
          public boolean mayMatch(byte[] bytes, Spans places) {
            return places.has(1) || places.end(0) - places.start(0) == 3;
          }

          @Override
          public double least(int field) {
            return field == 0 ? 100 : Double.NEGATIVE_INFINITY;
          }

          @Override
          public boolean isBounded(Spans places) {
            return !places.has(1);
          }
        };
    check(codec.encode(columns), columns, bounded);
    assertThat(matching).isEqualTo(350);
    assertThat(leftOut).isEqualTo(50);
  }

  @Test
  void aValueFilterUsesAtMostAQuarterOfAPage() {
    Random random = Seed.random(this);
    int filters = 0;
    for (int n = 0; n < ROUNDS / 5; n++) {
      Columns columns =
          of(i -> "{\"a\":\"%s\"}".formatted(Long.toString(random.nextLong(), 36)), 8 + 5 * n);
      byte[] page = codec.encode(columns);
      if (page[PageHeader.LAYOUT_AT] == PageHeader.FILTERED) {
        assertThat(4 * (page.length - ValueFilter.start(page) - 6)).isLessThan(page.length);
        filters++;
      }
    }
    assertThat(filters).isGreaterThan(ROUNDS / 10);
  }

  /** A filter on one value of a field. */
  record EqualField(FieldOfPayloads field, FieldValue value) implements FieldFilter {
    static EqualField of(String text, String... path) {
      return new EqualField(FieldOfPayloads.of(path), FieldValue.of(path[path.length - 1], text));
    }

    static EqualField of(BigDecimal number, String... path) {
      return new EqualField(FieldOfPayloads.of(path), FieldValue.of(path[path.length - 1], number));
    }

    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return field.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      int from = places.start(places.size() - 1);
      int to = places.end(places.size() - 1);
      if (to == 0) {
        return false;
      }
      String json = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      if (value.text() != null) {
        return json.replace("\\u0078", "x").equals('"' + value.text() + '"');
      }
      boolean isNumber = json.matches("-?[0-9].*");
      return isNumber && new BigDecimal(json).compareTo(value.number()) == 0;
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }

    /** An odd payload matches if one of its members has the value. */
    @Override
    public boolean mayMatch(Columns columns, int i) {
      byte[] payload = columns.payload(i);
      Spans places = find(payload, 0, payload.length);
      if (places != null) {
        return mayMatch(payload, places);
      }
      String json = new String(payload, StandardCharsets.UTF_8).replaceAll("\\[[^]]*]", "[]");
      String wanted = value.text() != null ? '"' + value.text() + '"' : value.number() + "";
      return Pattern.compile(
              "\"(\\\\u0061|%s)\": ?%s[^0-9.]".formatted(value.key(), Pattern.quote(wanted)))
          .matcher(json)
          .find();
    }

    @Override
    public @Nullable String only(int field) {
      return field == this.field.path().size() - 1 ? value.text() : null;
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(value));
    }
  }

  /** A filter on the numbers of "a". */
  private record BoundedField(double first, double last) implements FieldFilter {
    private static final FieldOfPayloads FIELD = FieldOfPayloads.of("a");

    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return FIELD.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      if (places.end(0) == 0
          || bytes[places.start(0)] != '-' && !Character.isDigit(bytes[places.start(0)])) {
        return false;
      }
      double number =
          Double.parseDouble(
              new String(
                  bytes, places.start(0), places.end(0) - places.start(0), StandardCharsets.UTF_8));
      return number >= first && number <= last;
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }

    @Override
    public double least(int field) {
      return Math.nextDown(first);
    }

    @Override
    public double greatest(int field) {
      return Math.nextUp(last);
    }
  }

  /** Values of one length used to be accepted without a look at what they hold. */
  @Test
  void aKeyInPlaceOfAValueIsFound() {
    Columns columns =
        of(
            i ->
                i % 7 == 0
                    ? "{\"x\":\"1\",\"a\":\"%03d\",\"b\":1}".formatted(i)
                    : "{\"x\":\"1-----------%03d\",\"b\":1}".formatted(i),
            400);
    check(codec.encode(columns), columns, FieldOfPayloads.of("a"));
    assertThat(matching).isPositive();
  }

  /** A filter for texts of several words under the key "a". */
  private record WordsField(FieldFilter of) implements FieldFilter {
    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return of.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return true;
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("a", "x"), FieldValue.ofSeveralWords("a")));
    }
  }

  @Test
  void recognizesPagesWithTextsOfSeveralWords() {
    FieldFilter words = new WordsField(FieldOfPayloads.of("a"));
    assertThat(mayMatch("{\"a\":\"%016x\",\"b\":\"a b\"}", words)).isFalse();
    assertThat(mayMatch("{\"a\":\"%016x y\",\"b\":\"ab\"}", words)).isTrue();
    assertThat(mayMatch("{\"a\":[\"%016x\"],\"b\":\"ab\"}", words)).isTrue();
    assertThat(mayMatch("{\"a\":\"\\n%016x\",\"b\":\"ab\"}", words)).isTrue();
  }

  private boolean mayMatch(String payload, FieldFilter filter) {
    byte[] page = codec.encode(of(i -> payload.formatted(i * 0x9E3779B97F4A7C15L >>> 1), 400));
    assertThat(page[PageHeader.LAYOUT_AT]).isEqualTo((byte) PageHeader.FILTERED);
    return codec.mayMatch(PageBytes.of(page), filter);
  }

  /** Now and then with so many bytes of entries, and of patterns, that they lie apart. */
  static Columns awkward(Random random) {
    if (random.nextInt(8) == 0) {
      return manyEntries(random.nextInt(1000));
    }
    AwkwardPayloads payloads = new AwkwardPayloads(random);
    return of(i -> payloads.next(), 8 + random.nextInt(300));
  }

  /** A dictionary and patterns, each of 40 texts of about 20 bytes. */
  static Columns manyEntries(int start) {
    return of(
        i -> {
          int n = start + i;
          return "{\"a\":\"entry-%1$x-of-many-bytes\",\"b\":{\"a\":\"/pattern-%2$s/%3$d\"},\"c\":%3$d}"
              .formatted(0xa0 + n % 40, "ab".repeat(1 + n * 7 % 40 / 4) + (char) ('c' + n % 4), n);
        },
        400);
  }

  @Test
  void largeEntriesAreStoredSeparately() {
    assertThat(entriesApart(manyEntries(0))).as("a dictionary and patterns").isEqualTo(2);
    assertThat(entriesApart(of(i -> "{\"a\":\"%s\"}".formatted(entry(i, 128)), 400))).isZero();
    assertThat(entriesApart(of(i -> "{\"a\":\"%s\"}".formatted(entry(i, 129)), 400))).isOne();
    // Otherwise each read would have to look whether one is an object with the wanted field.
    assertThat(entriesApart(of(i -> "{\"a\":[\"%s\"]}".formatted(entry(i, 200)), 400))).isZero();
  }

  /** Each of four. */
  private static String entry(int i, int length) {
    return String.valueOf((char) ('a' + i % 4)).repeat(length);
  }

  private int entriesApart(Columns columns) {
    PageSections sections = new PageSections();
    sections.add(codec.encode(columns));
    return sections.entriesApart();
  }

  private static Columns of(IntFunction<String> payload, int count) {
    return RandomColumns.of(count, i -> payload.apply(i).getBytes(StandardCharsets.UTF_8));
  }

  private void check(byte[] page, Columns columns, FieldFilter filter) {
    Columns read =
        codec.mayMatch(PageBytes.of(page), filter) ? codec.match(page, filter) : Columns.EMPTY;
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      boolean matches = filter.mayMatch(columns, i);
      boolean isReturned = next < read.size() && read.id(next).equals(columns.id(i));
      assertThat(isReturned || !matches)
          .as("%s: %s", filter, new String(columns.payload(i), StandardCharsets.UTF_8))
          .isTrue();
      if (isReturned) {
        assertThat(read.payload(next)).isEqualTo(columns.payload(i));
        next++;
      }
      matching += matches ? 1 : 0;
      leftOut += isReturned ? 0 : 1;
    }
    assertThat(next).as("columns that are in the page").isEqualTo(read.size());
    FieldValues counted = new FieldValues(0);
    codec.values(page, new FieldQuery(CountQuery.all(ROW), List.of(), filter), counted);
    for (int i = 0; i < counted.size(); i++) {
      certain += counted.count(i);
    }
  }

  /** JSON objects of few keys, which stand for a scalar here and for an object there. */
  private static final class AwkwardPayloads {
    private static final String[] KEYS = {"a", "b", "c", "b.a", "a\\\"b", "\\u0061"};
    private static final String[] TEXTS = {
      "", "x", "{", "[1", "\\\"", "\\\",\\\"a\\\":\\\"1", "a", "é", "1.50", "null"
    };

    private final Random random;
    private final List<Supplier<String>> shapes = new ArrayList<>();

    AwkwardPayloads(Random random) {
      this.random = random;
      int oddity = random.nextInt(4);
      for (int i = random.nextInt(4); i >= 0; i--) {
        shapes.add(object(2, oddity));
      }
    }

    String next() {
      return shapes.get(random.nextInt(shapes.size())).get();
    }

    private Supplier<String> object(int depth, int oddity) {
      List<Supplier<String>> members = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        String key = KEYS[random.nextInt(oddity > 1 ? KEYS.length : 3)];
        boolean twice = members.stream().anyMatch(m -> m.get().startsWith('"' + key + '"'));
        if (!twice || oddity == 3) {
          String space = random.nextInt(5) == 0 ? " " : "";
          Supplier<String> value = value(depth, oddity);
          members.add(() -> '"' + key + "\":" + space + value.get() + space);
        }
      }
      return () -> "{" + String.join(",", members.stream().map(Supplier::get).toList()) + "}";
    }

    private Supplier<String> value(int depth, int oddity) {
      int few = 1 + random.nextInt(300);
      return switch (random.nextInt(depth > 0 ? 12 : 9)) {
        case 0 -> () -> Integer.toString(random.nextInt(few));
        case 1 -> () -> random.nextInt(few) / 100.0 + "";
        case 2 -> () -> "\"" + TEXTS[random.nextInt(TEXTS.length)] + "\"";
        case 3 -> () -> "\"/api/" + random.nextInt(few) + "/" + random.nextInt(9) + "\"";
        case 4 -> () -> "\"%08x\"".formatted(random.nextInt(few));
        case 5 -> () -> List.of("true", "false", "null").get(random.nextInt(3));
        case 6 -> () -> "[" + random.nextInt(few) + ",{\"a\":1}]";
        case 7 -> () -> "\"" + Long.toString(random.nextLong(), 36) + "\"";
        case 8 -> {
          Supplier<String> one = oddity > 0 ? value(0, 0) : () -> "0";
          Supplier<String> other = oddity > 0 ? () -> "{\"a\":" + one.get() + "}" : one;
          yield () -> (random.nextInt(3) == 0 ? other : one).get();
        }
        default -> object(depth - 1, oddity);
      };
    }
  }
}
