package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Texts are ordered by code points, whichever part of the program compares them. */
class TextOrderTest {
  private static final int PAIRS = Tier.length(50, 250, 5_000);

  private static final Map<String, IntPredicate> ORDERS =
      Map.of("<", n -> n < 0, "<=", n -> n <= 0, ">", n -> n > 0, ">=", n -> n >= 0);

  /** Code points on both sides of every border between lengths in UTF-8 and in UTF-16. */
  private static final int[] EDGES = {
    0, 'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xff5e, 0xfffc, 0xffff, 0x10000, 0x1f600,
    0x10ffff
  };

  private final Random random = Seed.random(this);

  @Test
  void textsOfThePayloadCompareByCodePoints() {
    for (int n = 0; n < PAIRS; n++) {
      String a = text(random.nextInt(3) == 0);
      String b = text(random.nextInt(3) == 0);
      String payload = "{\"a\":%s,\"b\":%s}".formatted(json(a), json(b));
      for (String order : ORDERS.keySet()) {
        boolean expected = holds(order, a, b);
        if (b.codePoints().noneMatch(TextOrderTest::isHalf)) { // CEL has no literal of those
          assertJudged("data.a %s %s".formatted(order, literal(b)), "t", payload, expected);
        }
        assertJudged("data.a %s data.b".formatted(order), "t", payload, expected);
        assertJudged("data.a + '' %s data.b".formatted(order), "t", payload, expected);
      }
    }
  }

  @Test
  void typesCompareByCodePoints() {
    for (int n = 0; n < PAIRS; n++) {
      String type = "t" + text(false);
      String other = "t" + text(false);
      for (String order : ORDERS.keySet()) {
        boolean expected = holds(order, type, other);
        assertJudged("type %s %s".formatted(order, literal(other)), type, "{}", expected);
      }
    }
  }

  /** Judges by the whole filter, by the library alone, and by the filter of fields for a store. */
  private static void assertJudged(String where, String type, String payload, boolean expected) {
    Where compiled = Where.compile(where);
    Columns columns = Payloads.of(List.of(payload));
    String of = where + " of " + type + " " + payload;
    assertThat(compiled.matches(columns, 0, type, () -> false)).as(of).isEqualTo(expected);
    assertThat(Values.matches(where, columns, 0, type)).as(of).isEqualTo(expected);
    FieldFilter fields = compiled.fields(type, List.of(), List.of());
    if (fields == null) {
      return;
    }
    byte[] bytes = columns.payload(0);
    Spans places = Objects.requireNonNull(fields.find(bytes, 0, bytes.length));
    assertThat(fields.mayMatch(bytes, places) || !expected).as(of).isTrue();
    assertThat(fields.surelyMatches(bytes, places) && !expected).as(of).isFalse();
  }

  private static boolean holds(String order, String a, String b) {
    int compared = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    return Objects.requireNonNull(ORDERS.get(order)).test(compared);
  }

  /** Short, so that many begin alike. Halves of surrogate pairs stay alone. */
  private String text(boolean withHalves) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(5); left > 0; left--) {
      if (withHalves && random.nextBoolean()) {
        text.append((char) (random.nextBoolean() ? 0xd83d : 0xde00));
      } else {
        text.appendCodePoint(
            random.nextInt(4) == 0
                ? 0xe000 + random.nextInt(0x1ffd)
                : EDGES[random.nextInt(EDGES.length)]);
      }
    }
    return text.toString();
  }

  /** Control characters and halves of pairs are escaped. */
  private static String json(String text) {
    return text.codePoints()
        .mapToObj(c -> c < ' ' || isHalf(c) ? "\\u%04x".formatted(c) : Character.toString(c))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  private static String literal(String text) {
    return text.codePoints()
        .mapToObj(c -> "\\U%08x".formatted(c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
