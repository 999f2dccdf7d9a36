package hourglass.store.embedded.codec;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A page read through a filter has every column that matches, as it was. */
class FilteredPageTest {
  private static final int ROUNDS = 1_500;

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
  void nestedBeyondTheDepthOfColumns() {
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
  void numbersBeyondBoundsAreLeftOutUnread() {
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
        leftOutUnread += codec.mayMatch(Pages.bytes(page), filter) ? 0 : 1;
      }
    }
    assertThat(matching).isGreaterThan(ROUNDS / 8);
    assertThat(leftOutUnread).isGreaterThan(ROUNDS);
  }

  /** The values of a field are those that whole payloads have. */
  @Test
  void valuesOfAFieldAreCounted() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns = awkward(random);
      byte[] page = codec.encode(columns);
      checkValues(page, columns, FieldOfPayloads.of("a"));
      checkValues(page, columns, FieldOfPayloads.of("b", "a"));
      checkValues(page, columns, FieldOfPayloads.of("b", "b", "c"));
    }
    assertThat(countedApart).isGreaterThan(ROUNDS);
  }

  /** Payloads beyond the last shape are whole, and may be objects after a space. */
  @Test
  void wholePayloadsMayHaveTheField() {
    Columns columns =
        of(
            i ->
                i % 70 < 63
                    ? "{\"key-of-shape-%d\":%d}".formatted(i % 70, i)
                    : " {\"k\":1,\"a\":%d}".formatted(i % 7),
            2_000);
    byte[] page = codec.encode(columns);
    check(page, columns, FieldOfPayloads.of("a"));
    checkValues(page, columns, FieldOfPayloads.of("a"));
    assertThat(matching).isPositive();
  }

  private void checkValues(byte[] page, Columns columns, FieldOfPayloads field) {
    checkValues(page, columns, field, field::place);
    checkValues(
        page,
        columns,
        field,
        new FieldFinder() {
          @Override
          public int @Nullable [] find(byte[] payload, int from, int to) {
            return field.place(payload, from, to);
          }

          @Override
          public boolean isOfPayload() {
            return field.path().size() == 1;
          }
        });
  }

  private void checkValues(
      byte[] page, Columns columns, FieldOfPayloads field, FieldFinder finder) {
    FieldValues values = codec.values(page, finder);
    Map<String, Long> found = new TreeMap<>();
    for (int i = 0; i < values.size(); i++) {
      int from = values.start(i);
      found.merge(json(values.bytes(), from, values.end(i)), (long) values.count(i), Long::sum);
    }
    countedApart += values.size();
    found.merge("absent", values.absent(), Long::sum);
    values.whole().forEach(each -> count(each, field, found));
    Map<String, Long> wanted = new TreeMap<>(Map.of("absent", 0L));
    count(columns, field, wanted);
    assertThat(found).as("%s", field).isEqualTo(wanted);
  }

  private static void count(Columns columns, FieldOfPayloads field, Map<String, Long> into) {
    for (int i = 0; i < columns.size(); i++) {
      byte[] payload = columns.payload(i);
      int[] place = field.place(payload, 0, payload.length);
      String value =
          place == null ? "odd" : place[1] == 0 ? "absent" : json(payload, place[0], place[1]);
      into.merge(value, 1L, Long::sum);
    }
  }

  /** Of an object, only the first byte counts. */
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

  @Test
  void aFilterTakesAtMostAQuarter() {
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
  private record EqualField(FieldOfPayloads field, FieldValue value) implements FieldFilter {
    static EqualField of(String text, String... path) {
      return new EqualField(FieldOfPayloads.of(path), FieldValue.of(path[path.length - 1], text));
    }

    static EqualField of(BigDecimal number, String... path) {
      return new EqualField(FieldOfPayloads.of(path), FieldValue.of(path[path.length - 1], number));
    }

    @Override
    public int @Nullable [] find(byte[] payload, int from, int to) {
      return field.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, int[] places) {
      int from = places[places.length - 2];
      int to = places[places.length - 1];
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
    public boolean surelyMatches(byte[] bytes, int[] places) {
      return mayMatch(bytes, places);
    }

    /** An odd payload matches if one of its members has the value. */
    @Override
    public boolean mayMatch(Columns columns, int i) {
      byte[] payload = columns.payload(i);
      int[] places = find(payload, 0, payload.length);
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
    public List<List<FieldValue>> required() {
      return List.of(List.of(value));
    }
  }

  /** A filter on the numbers of "a". */
  private record BoundedField(double first, double last) implements FieldFilter {
    private static final FieldOfPayloads FIELD = FieldOfPayloads.of("a");

    @Override
    public int @Nullable [] find(byte[] payload, int from, int to) {
      return FIELD.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, int[] places) {
      if (places[1] == 0 || bytes[places[0]] == '"') {
        return false;
      }
      double number =
          Double.parseDouble(
              new String(bytes, places[0], places[1] - places[0], StandardCharsets.UTF_8));
      return number >= first && number <= last;
    }

    @Override
    public boolean surelyMatches(byte[] bytes, int[] places) {
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
  void aKeyMayStandWhereOthersHaveAValue() {
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

  /** Pages of version 1 may have such values, so none of their columns is left out. */
  @Test
  void aPageOfVersion1IsReadAsAWhole() {
    Columns columns = of(i -> "{\"a\":" + i + "}", 400);
    byte[] page = codec.encode(columns);
    page[PageHeader.VERSION_AT] = 1;
    Pages.mend(page);
    Pages.assertSame(codec.match(page, FieldOfPayloads.of("a"), false).columns(), columns);
  }

  private static Columns awkward(Random random) {
    AwkwardPayloads payloads = new AwkwardPayloads(random);
    return of(i -> payloads.next(), 8 + random.nextInt(300));
  }

  private static Columns of(IntFunction<String> payload, int count) {
    return RandomColumns.of(count, i -> payload.apply(i).getBytes(StandardCharsets.UTF_8));
  }

  private Matches match(byte[] page, FieldFilter filter, boolean payloads) {
    return codec.mayMatch(Pages.bytes(page), filter)
        ? codec.match(page, filter, payloads)
        : Matches.NONE;
  }

  private void check(byte[] page, Columns columns, FieldFilter filter) {
    Matches bare = match(page, filter, false);
    Columns read = match(page, filter, true).columns();
    assertThat(bare.columns().size()).isEqualTo(read.size());
    certain += bare.certain() ? read.size() : 0;
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      boolean matches = filter.mayMatch(columns, i);
      boolean isReturned = next < read.size() && read.id(next).equals(columns.id(i));
      assertThat(isReturned || !matches)
          .as("%s: %s", filter, new String(columns.payload(i), StandardCharsets.UTF_8))
          .isTrue();
      if (isReturned) {
        assertThat(read.payload(next)).isEqualTo(columns.payload(i));
        assertThat(bare.columns().id(next)).isEqualTo(columns.id(i));
        assertThat(bare.certain() && !surelyMatches(filter, columns.payload(i)))
            .as("%s: %s", filter, new String(columns.payload(i), StandardCharsets.UTF_8))
            .isFalse();
        next++;
      }
      matching += matches ? 1 : 0;
      leftOut += isReturned ? 0 : 1;
    }
    assertThat(next).as("columns that are in the page").isEqualTo(read.size());
  }

  private static boolean surelyMatches(FieldFilter filter, byte[] payload) {
    int[] places = filter.find(payload, 0, payload.length);
    return places != null && filter.surelyMatches(payload, places);
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
