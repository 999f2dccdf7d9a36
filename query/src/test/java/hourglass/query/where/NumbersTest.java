package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.filter.Outcomes;
import hourglass.store.Columns;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares numbers of all kinds by both evaluators and an oracle on decimals. */
class NumbersTest {
  private static final int EXPRESSIONS = Tier.length(200, 1000, 20_000);
  private static final String[] COMPARISONS = {"==", "!=", "<", "<=", ">", ">="};
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger ULONG_MAX = LONG_MAX.shiftLeft(1).add(BigInteger.ONE);

  private final Random random = Seed.random(this);

  private final List<String> members = new ArrayList<>();

  /** The text in an expression, and the value; infinity and NaN have no value. */
  private record Operand(String text, BigDecimal value, double special) {
    static Operand of(String text, BigDecimal value) {
      return new Operand(text, value, 0);
    }

    static Operand of(String text, double value) {
      return Double.isFinite(value)
          ? of(text, new BigDecimal(value))
          : new Operand(text, BigDecimal.ZERO, value);
    }

    boolean is(String comparison, Operand other) {
      if (Double.isNaN(special) || Double.isNaN(other.special)) {
        return comparison.equals("!=");
      }
      int compared =
          special == 0 && other.special == 0
              ? value.compareTo(other.value)
              : Double.compare(special, other.special);
      return switch (comparison) {
        case "==" -> compared == 0;
        case "!=" -> compared != 0;
        case "<" -> compared < 0;
        case "<=" -> compared <= 0;
        case ">" -> compared > 0;
        default -> compared >= 0;
      };
    }
  }

  private record Case(String expression, boolean isTrue) {}

  @Test
  void numbersAreComparedExactly() {
    for (int n = 0; n < EXPRESSIONS; n++) {
      members.clear();
      Case one = oneCase();
      String payload = "{" + String.join(",", members) + "}";
      check(one, payload);
      check(new Case("!(" + one.expression + ")", !one.isTrue), payload);
    }
  }

  private static void check(Case one, String payload) {
    Where where = Where.compile(one.expression);
    Columns columns = Payloads.of(List.of(payload));
    assertThat(Values.matches(one.expression, columns, 0, "a"))
        .as("the library: %s of %s", one.expression, payload)
        .isEqualTo(one.isTrue);
    assertThat(where.matches(columns, 0, "a", () -> false))
        .as("%s of %s", one.expression, payload)
        .isEqualTo(one.isTrue);
    assertThat(where.outcomes(columns, 0, "a") & Outcomes.of(one.isTrue))
        .as("the condition: %s of %s", one.expression, payload)
        .isNotZero();
  }

  private Case oneCase() {
    Operand a = operand();
    Operand b = near(a);
    Operand c = near(a);
    Operand d = operand();
    String op = COMPARISONS[random.nextInt(COMPARISONS.length)];
    boolean ab = a.is("==", b);
    boolean ac = a.is("==", c);
    return switch (random.nextInt(12)) {
      case 0 -> new Case("dyn(" + a.text + ") in [" + b.text + ", " + c.text + "]", ab || ac);
      case 1 ->
          new Case(
              "[dyn(%s), [%s]] == [dyn(%s), [%s]]".formatted(a.text, d.text, b.text, d.text),
              ab && d.is("==", d));
      case 2 -> new Case("{'k': dyn(%s)} == {'k': dyn(%s)}".formatted(a.text, b.text), ab);
      case 3 -> new Case("{'k': [dyn(%s)]} != {'k': [dyn(%s)]}".formatted(a.text, b.text), !ab);
      case 4 ->
          new Case(
              "[dyn(%s), %s].exists(x, x %s %s)".formatted(a.text, b.text, op, c.text),
              a.is(op, c) || b.is(op, c));
      case 5 ->
          new Case(
              "[dyn(%s), %s].all(x, x %s %s)".formatted(a.text, b.text, op, c.text),
              a.is(op, c) && b.is(op, c));
      case 6 -> new Case("dyn(%s) %s dyn(%s)".formatted(a.text, op, b.text), a.is(op, b));
      case 7 -> keys(a, b);
      case 8 ->
          new Case(
              "dyn(%s) %s %s ? dyn(%s) == %s : false".formatted(a.text, op, b.text, a.text, c.text),
              a.is(op, b) && ac);
      case 9 -> new Case("dyn(%s) %s %s".formatted(a.text, op, b.text), a.is(op, b));
      default -> {
        // The type check needs constants of one kind on both sides of == and !=.
        String order = COMPARISONS[2 + random.nextInt(4)];
        yield new Case(a.text + " " + order + " " + b.text, a.is(order, b));
      }
    };
  }

  /** No key is a double. */
  private Case keys(Operand a, Operand b) {
    Operand key = whole(b.value.toBigInteger());
    return random.nextBoolean()
        ? new Case("dyn(%s) in {%s: 1}".formatted(a.text, key.text), a.is("==", key))
        : new Case(
            "dyn(%s) in {%s: 1} && {%s: 1}[dyn(%s)] == 1"
                .formatted(a.text, key.text, key.text, a.text),
            a.is("==", key));
  }

  private Operand operand() {
    return operand(anchor());
  }

  /** Mostly a number equal to another, or close to it. */
  private Operand near(Operand other) {
    if (random.nextInt(5) == 0) {
      return operand();
    }
    return operand(other.value.add(BigDecimal.valueOf(random.nextInt(3) - 1)));
  }

  private BigDecimal anchor() {
    BigInteger power = BigInteger.ONE.shiftLeft(random.nextInt(70));
    BigInteger edge =
        switch (random.nextInt(6)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> BigInteger.ONE.shiftLeft(53);
          case 2 -> LONG_MAX;
          case 3 -> ULONG_MAX;
          case 4 -> BigInteger.valueOf(random.nextInt(1000));
          default -> power;
        };
    BigInteger moved = edge.add(BigInteger.valueOf(random.nextInt(7) - 3));
    return new BigDecimal(random.nextBoolean() ? moved : moved.negate());
  }

  private Operand operand(BigDecimal about) {
    BigInteger whole = about.toBigInteger();
    return switch (random.nextInt(10)) {
      case 0, 1 -> whole(whole);
      case 2, 3, 4 -> field(whole);
      case 5 -> fraction(about.doubleValue());
      case 6 -> fraction(about.doubleValue() + 0.5);
      case 7 -> constant(about.doubleValue());
      case 8 -> special();
      default -> converted(whole);
    };
  }

  private Operand whole(BigInteger about) {
    BigInteger value = about.max(LONG_MIN).min(ULONG_MAX);
    boolean isInt = value.compareTo(LONG_MAX) <= 0;
    boolean isUint = value.signum() >= 0 && (!isInt || random.nextBoolean());
    return Operand.of(value + (isUint ? "u" : ""), new BigDecimal(value));
  }

  /** Digits alone: beyond 64 bits it is a double. */
  private Operand field(BigInteger value) {
    String text = value.signum() == 0 && random.nextBoolean() ? "-0" : value.toString();
    boolean isInt = value.bitLength() < 64;
    return member(text, isInt ? new BigDecimal(value) : new BigDecimal(value.doubleValue()));
  }

  /** Returns a number with a point or an exponent. */
  private Operand fraction(double value) {
    String text =
        switch (random.nextInt(4)) {
          case 0 -> new BigDecimal(value).toPlainString() + (value % 1 == 0 ? ".0" : "0");
          case 1 -> Double.toString(value);
          case 2 -> new BigDecimal(value).unscaledValue() + "e-" + new BigDecimal(value).scale();
          default -> value == 0 ? "-0.0" : new BigDecimal(value).toPlainString() + "e0";
        };
    return member(text.replace("e--", "e"), new BigDecimal(value));
  }

  private Operand member(String text, BigDecimal value) {
    String name = "f" + members.size();
    members.add("\"" + name + "\":" + text);
    return Operand.of("data." + name, value);
  }

  private static Operand constant(double value) {
    return Operand.of(Double.toString(value), value);
  }

  private Operand special() {
    return switch (random.nextInt(9)) {
      case 0 -> Operand.of("-0.0", 0.0);
      case 1 -> Operand.of("(0.0 / 0.0)", Double.NaN);
      case 2 -> Operand.of("(1.0 / 0.0)", Double.POSITIVE_INFINITY);
      case 3 -> Operand.of("(-1.0 / 0.0)", Double.NEGATIVE_INFINITY);
      case 4 -> Operand.of("4.9E-324", Double.MIN_VALUE);
      case 5 -> Operand.of("-1.0E308", -1e308);
      case 6 -> member("4.9e-324", new BigDecimal(Double.MIN_VALUE));
      case 7 -> member("-0.0", BigDecimal.ZERO);
      default -> member("1e2", new BigDecimal(100));
    };
  }

  private Operand converted(BigInteger about) {
    Operand whole = random.nextBoolean() ? whole(about) : field(about);
    return Operand.of("double(" + whole.text + ")", whole.value.doubleValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "data.x < 0                                   ; -0.0                 ; false",
        "data.x == 0 && data.x >= 0 && data.x in [0]  ; -0.0                 ; true",
        "data.x == 0u && 0u <= data.x                 ; -0.0                 ; true",
        "0 in data.l                                  ; -0.0                 ; true",
        "data.x >= 9007199254740993                   ; 9007199254740992.0   ; false",
        "9007199254740992.0 >= 9007199254740993       ; 1                    ; false",
        "9007199254740993 > 9007199254740992.0        ; 1                    ; true",
        "data.x == 18446744073709551615u              ; 18446744073709551615 ; false",
        "data.x > 18446744073709551615u               ; 18446744073709551615 ; true",
        "data.x == 9223372036854775807                ; 9223372036854775808  ; false",
        "data.x == 9223372036854775808u               ; 9223372036854775808  ; true",
        "data == {'x': 100, 'l': [100.0]}             ; 1e2                  ; true",
        "data.l == [data.x] && data.l == [100u]       ; 100.0                ; true",
        "(data.x - data.x) / 0.0 == (data.x - data.x) / 0.0 ; 1.5            ; false",
        "[0.0 / 0.0].exists(n, n in [n] || n == n)    ; 1                    ; false",
        "{18446744073709549568u: 1}[dyn(18446744073709549568.0)] == 1 ; 1    ; true",
        "{0: 1}[data.x] == 1                          ; -0.0                 ; true",
        "data.x in {1u: 1}                            ; 1.0                  ; true",
        "data.x == '1' || data.x == true || data.x == null ; 1               ; false",
      })
  void equalNumbersOfDifferentKindsAreEqual(String where, String x, boolean expected) {
    String payload = "{\"x\":" + x + ",\"l\":[" + x + "]}";
    check(new Case(where, expected), payload);
  }
}
