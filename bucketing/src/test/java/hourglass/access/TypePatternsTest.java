package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypePatternsTest {

  @ParameterizedTest
  @CsvSource({
    "checkout, checkout, true",
    "checkout, checkouts, false",
    "checkout, Checkout, false",
    "shop.*, shop.cart, true",
    "shop.*, shop., true",
    "shop.*, shop, false",
    "shop.*, shopxcart, false",
    "*.error, web.error, true",
    "*.error, web.errors, false",
    "a*b*c, abc, true",
    "a*b*c, a-b-b-c, true",
    "a*b*c, acb, false",
    "a*b*c, abcbc, true",
    "a*b*c, abcb, false",
    "*aab, aaaab, true",
    "a**c, ac, true",
    "a*, a, true",
    "(x|y).*, x.1, false",
    "'\\Q*', '\\Qa', true",
    "'a*', 'a\n|b', true",
  })
  void typesAreAllowedByPattern(String pattern, String type, boolean allowed) {
    assertThat(TypePatterns.of(List.of(pattern)).allows(type)).isEqualTo(allowed);
  }

  /** A search that tried all ways to match the stars would not end. */
  @Test
  void manyStarsCostLittle() {
    TypePatterns many = TypePatterns.of(List.of("*a".repeat(127) + "*b"));
    assertThat(many.allows("a".repeat(256))).isFalse();
    assertThat(many.allows("a".repeat(255) + "b")).isTrue();
  }

  @Test
  void anyOfSeveralPatternsAllows() {
    TypePatterns some = TypePatterns.of(List.of("checkout", "shop.*"));
    assertThat(some.allows("checkout")).isTrue();
    assertThat(some.allows("shop.cart")).isTrue();
    assertThat(some.allows("search")).isFalse();
    assertThat(some.isAll()).isFalse();
    assertThat(some).hasToString("checkout,shop.*");
  }

  @Test
  void aStarAloneAllowsAll() {
    assertThat(TypePatterns.of(List.of("checkout", "*")).isAll()).isTrue();
    assertThat(TypePatterns.ALL.allows("anything")).isTrue();
  }

  @Test
  void anEmptyListOfPatternsAllowsNothing() {
    assertThat(TypePatterns.of(List.of()).allows("checkout")).isFalse();
  }
}
