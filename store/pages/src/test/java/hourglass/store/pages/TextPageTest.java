package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.TextFilter;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page read through a text returns every column that contains it, like a search of its bytes. */
class TextPageTest {
  private static final int ROUNDS = Tier.length(60, 500, 1_500);
  private static final RowKey ROW = new RowKey(Hour.parse("2026-11-20T08"), "orders", 0);

  private final PageCodec codec = new PageCodec();
  private long matching;
  private long without;
  private long leftOut;
  private long ruledOut;

  @AfterEach
  void close() {
    codec.close();
  }

  /** Texts are cut from payloads, so that many lie on a part and a value, or on several. */
  @Test
  void everyColumnWithATextIsReturned() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns =
          n % 2 == 0
              ? FilteredPageTest.awkward(random)
              : new RandomColumns(random.nextLong()).next(300);
      byte[] page = codec.encode(columns);
      for (int i = 0; i < 12; i++) {
        byte[] text = cut(columns, random);
        if (text.length > 0) {
          ByteSearch search = new ByteSearch(text, random.nextInt(4) == 0);
          check(page, columns, new TextFilter(search));
          byte[] other = cut(columns, random);
          if (other.length > 0) {
            List<ByteSearch> any = List.of(new ByteSearch(other, false), search);
            check(page, columns, new TextFilter(List.of(any)));
            check(page, columns, new TextFilter(List.of(List.of(any.get(0)), List.of(search))));
            ByteSearch part = search.of(Arrays.copyOf(text, 1 + random.nextInt(text.length)));
            check(page, columns, new TextFilter(List.of(any, List.of(part))));
          }
        }
      }
    }
    assertThat(matching).isGreaterThan(100L * ROUNDS);
    assertThat(leftOut).isGreaterThan(without / 2); // the others are in odd pages, or cross
    assertThat(ruledOut).isGreaterThan(ROUNDS / 10);
  }

  /** Part of a payload, and at times with one byte changed. */
  private static byte[] cut(Columns columns, Random random) {
    byte[] payload = columns.payload(random.nextInt(columns.size()));
    int from = random.nextInt(payload.length + 1);
    int length = random.nextInt(1 << 1 + random.nextInt(7));
    byte[] text = Arrays.copyOfRange(payload, from, Math.min(payload.length, from + length));
    if (text.length > 0 && random.nextInt(3) == 0) {
      text[random.nextInt(text.length)] = payload[random.nextInt(payload.length)];
    }
    return text;
  }

  /** For each of these texts, exactly the columns that contain it are returned. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "web-7",
        "eb-1",
        "connection refus",
        "refused 7",
        "0a7",
        "-4a",
        "ALSE",
        "fals",
        "7.5",
        "00.25",
        "/orders/17",
        "rders/3",
        "orders",
        "08:01",
        "T08",
        "ms",
        "{\"level",
        "[1,",
        "é",
        "\\\"qu",
        "\"level\":\"inf",
        "absent",
        "77777",
        "\"text\":\"connection"
      })
  void columnsWithoutATextAreLeftOut(String text) {
    Columns columns = events(TextPageTest::event);
    byte[] page = codec.encode(columns);
    check(page, columns, text(text, false));
    check(page, columns, text(text, true));
    check(page, columns, text(text.toUpperCase(Locale.ROOT), true));
    assertThat(leftOut).isEqualTo(without);
  }

  /** The piece outside all parts decides; here, it is in no other value. */
  @ParameterizedTest
  @ValueSource(strings = {"web-7\",\"path\":\"/api", "\"ms\":7.50,", "info\",", ":\"web-3\""})
  void aTextAcrossPartsAndValuesIsSearchedByAPiece(String text) {
    Columns columns = events(TextPageTest::event);
    check(codec.encode(columns), columns, text(text, false));
    assertThat(matching).isPositive();
    assertThat(leftOut).isGreaterThan(without / 2);
  }

  private static String event(int i) {
    return ("{\"level\":\"%s\",\"host\":\"web-%d\",\"path\":\"/api/orders/%d\",\"ms\":%d.%s,"
            + "\"at\":\"2026-11-20T08:%02d:%02d.%06dZ\",\"trace\":\"%08x\",\"uuid\":"
            + "\"%08x-4a4b-4000-8000-%012x\",\"ok\":%s,\"text\":\"connection refused %d, é \\\"quoted\\\"\","
            + "\"list\":[1,{\"a\":%d}],\"sub\":{\"ms\":%d}}")
        .formatted(
            i % 3 == 0 ? "info" : "warn",
            i % 9,
            i % 100,
            i,
            List.of("25", "50", "75").get(i % 3),
            i / 60,
            i % 60,
            i * 7919,
            i * 0x9e3779b9,
            i * 0x85ebca6b,
            i,
            i % 5 == 0,
            i * 31 % 97,
            i,
            i * i);
  }

  /** A text may have values on both sides, and keys may look like values. */
  @Test
  void textsAcrossValuesAreFound() {
    IntFunction<String> pairs =
        i -> "{\"a\":%d,\"a\":%d,\"b\":{\"a\":\"%d\"},\"5\":%d}".formatted(i, i + 1, i, i % 5);
    Columns columns = events(pairs);
    byte[] page = codec.encode(columns);
    for (String text :
        List.of(
            "7,\"a\":8,\"b",
            ":7,\"",
            "\"5\":4}",
            "8,\"b\":{\"a\":\"7\"},\"5\":2}",
            "5",
            "}",
            "{",
            pairs.apply(7),
            pairs.apply(7) + "}",
            "\"a\":\"7\"}",
            ",",
            "\"")) {
      check(page, columns, text(text, false));
    }
    assertThat(matching).isPositive();
    assertThat(leftOut).isPositive();
  }

  /** Whole payloads end where no part follows. */
  @Test
  void textsInPayloadsThatAreNoObjectsAreFound() {
    Columns columns =
        events(
            i ->
                i % 8 == 0
                    ? i % 3 == 0 ? "[%d]".formatted(i) : "\"t\\u00e9%d".formatted(i)
                    : event(i));
    byte[] page = codec.encode(columns);
    for (String text : List.of("[2", "24]", "\"t", "t\\u00e932", "u00e9", "16", "web-1")) {
      check(page, columns, text(text, false));
    }
    assertThat(leftOut).isGreaterThan(without / 2);
  }

  /** Only the beginning of a long text is searched for. */
  @Test
  void longTextsAreFound() {
    String same = "x".repeat(500);
    Columns columns = events(i -> "{\"t\":\"%s%d\",\"u\":%d}".formatted(same, i % 7, i));
    byte[] page = codec.encode(columns);
    check(page, columns, text(same + "3", false));
    check(page, columns, text("y" + same, false));
    assertThat(matching).isPositive();
    assertThat(leftOut).isEqualTo(400);
  }

  /** A filter on a field and a text omits the columns that either omits. */
  @Test
  void aFilterCombinesAFieldWithAText() {
    Random random = Seed.random(this);
    for (int n = 0; n < ROUNDS / 3; n++) {
      Columns columns = FilteredPageTest.awkward(random);
      byte[] page = codec.encode(columns);
      byte[] text = cut(columns, random);
      if (text.length > 0) {
        List<List<ByteSearch>> search = List.of(List.of(new ByteSearch(text, false)));
        check(page, columns, new Both(FieldOfPayloads.of("a"), search));
        check(page, columns, new Both(FieldOfPayloads.of("b", "a"), search));
      }
    }
    assertThat(matching).isGreaterThan(ROUNDS);
    assertThat(leftOut).isGreaterThan(without / 2);
  }

  private record Both(FieldFilter field, List<List<ByteSearch>> texts) implements FieldFilter {
    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return field.find(payload, from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return field.mayMatch(bytes, places);
    }
  }

  private static Columns events(IntFunction<String> event) {
    return RandomColumns.of(400, i -> event.apply(i).getBytes(UTF_8));
  }

  private static FieldFilter text(String text, boolean ignoreCase) {
    return new TextFilter(new ByteSearch(text.getBytes(UTF_8), ignoreCase));
  }

  private void check(byte[] page, Columns columns, FieldFilter filter) {
    Columns read = codec.match(page, filter);
    boolean isRuledOut = !codec.mayMatch(PageBytes.of(page), filter);
    ruledOut += isRuledOut ? 1 : 0;
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      boolean matches = filter.mayMatch(columns, i);
      assertThat(isRuledOut && matches)
          .as("ruled out: %s in %s", filter, new String(columns.payload(i), UTF_8))
          .isFalse();
      boolean isReturned = next < read.size() && read.id(next).equals(columns.id(i));
      assertThat(isReturned || !matches)
          .as("%s in %s", filter, new String(columns.payload(i), UTF_8))
          .isTrue();
      if (isReturned) {
        assertThat(read.payload(next)).isEqualTo(columns.payload(i));
        next++;
      }
      matching += matches ? 1 : 0;
      without += matches ? 0 : 1;
      leftOut += isReturned ? 0 : 1;
    }
    assertThat(next).as("columns that are in the page").isEqualTo(read.size());
    FieldValues values = new FieldValues(0);
    FieldQuery query = new FieldQuery(CountQuery.all(ROW), List.of(), filter);
    codec.values(page, query, values);
    assertThat(values.size()).isZero(); // nothing is certain
    assertThat(values.whole().stream().mapToInt(Columns::size).sum())
        .isEqualTo(read.within(query.range()).size());
  }
}
