package hourglass.query.where;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.values.CelByteString;
import hourglass.bytes.CodePoints;
import hourglass.query.filter.Automaton;
import hourglass.query.filter.Comparison;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Numbers;
import hourglass.query.filter.Regexes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The functions of CEL on values that are not errors. Numbers compare exactly, texts by their code
 * points, and each call counts as {@link Effort} unless its time is constant.
 */
final class Functions {
  static final int CALL_STEPS = 4;

  /** The functions of one operand, by name. */
  static final ImmutableMap<String, UnaryOperator<Object>> UNARY = unary();

  /** The functions of two operands, by name. */
  static final ImmutableMap<String, BinaryOperator<Object>> BINARY = binary();

  private Functions() {}

  private static ImmutableMap<String, UnaryOperator<Object>> unary() {
    ImmutableMap.Builder<String, UnaryOperator<Object>> all = ImmutableMap.builder();
    all.put("!_", value -> value instanceof Boolean truth ? (Object) !truth : Special.ERROR);
    all.put("-_", safe(Operators::negative));
    all.put("dyn", value -> value);
    all.put("bytes", Conversions::toBytes);
    all.put("size", counted(Functions::size));
    all.put("type", counted(TypeName::of));
    all.put("int", counted(Conversions::toInt));
    all.put("uint", counted(Conversions::toUint));
    all.put("double", counted(Conversions::toDouble));
    all.put("string", counted(Conversions::toText));
    all.put("bool", counted(Conversions::toBool));
    all.put("timestamp", counted(Times::timestamp));
    all.put("duration", counted(Times::duration));
    Times.parts()
        .keySet()
        .forEach(name -> all.put(name, counted(value -> Times.part(name, value))));
    return all.buildOrThrow();
  }

  private static ImmutableMap<String, BinaryOperator<Object>> binary() {
    ImmutableMap.Builder<String, BinaryOperator<Object>> all = ImmutableMap.builder();
    all.put("_+_", counted(Functions::sum));
    all.put("_-_", safe(Operators::minus));
    all.put("_*_", safe(Operators::times));
    all.put("_/_", safe(Operators::dividedBy));
    all.put("_%_", safe(Operators::modulo));
    all.put("_==_", (a, b) -> Equality.equal(a, b));
    all.put("_!=_", (a, b) -> !Equality.equal(a, b));
    Expressions.COMPARISONS.forEach(
        (name, comparison) -> {
          if (comparison.isOrder()) {
            all.put(name, (a, b) -> ordered(comparison, a, b));
          }
        });
    all.put("@in", Functions::in);
    all.put("_[_]", Functions::at);
    all.put("startsWith", counted(ofTexts(String::startsWith)));
    all.put("endsWith", counted(ofTexts(String::endsWith)));
    all.put("contains", ofTexts(Automaton::contains));
    all.put("matches", safe(ofTexts(Regexes::matches)));
    all.put(WordsFunction.NAME, safe(WordsFunction::in));
    Times.parts()
        .keySet()
        .forEach(name -> all.put(name, counted((value, zone) -> Times.part(name, value, zone))));
    return all.buildOrThrow();
  }

  static Object timestamp(String text) {
    return safe(Times::timestamp).apply(text);
  }

  static Object duration(String text) {
    return safe(Times::duration).apply(text);
  }

  /** Returns a function that returns an error where the given one throws an exception. */
  private static UnaryOperator<Object> safe(UnaryOperator<Object> function) {
    return value -> {
      try {
        return function.apply(value);
      } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
        return Special.ERROR;
      }
    };
  }

  private static BinaryOperator<Object> safe(BinaryOperator<Object> function) {
    return (a, b) -> {
      try {
        return function.apply(a, b);
      } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
        return Special.ERROR;
      }
    };
  }

  private static UnaryOperator<Object> counted(UnaryOperator<Object> function) {
    UnaryOperator<Object> safe = safe(function);
    return value -> {
      Effort.current().spend(CALL_STEPS + length(value) / Effort.CHARACTERS_A_STEP);
      return safe.apply(value);
    };
  }

  private static BinaryOperator<Object> counted(BinaryOperator<Object> function) {
    BinaryOperator<Object> safe = safe(function);
    return (a, b) -> {
      Effort.current().spend(CALL_STEPS + (length(a) + length(b)) / Effort.CHARACTERS_A_STEP);
      return safe.apply(a, b);
    };
  }

  private static long length(Object value) {
    if (value instanceof String text) {
      return text.length();
    }
    if (value instanceof CelByteString bytes) {
      return bytes.size();
    }
    return value instanceof List<?> list ? list.size() : 0;
  }

  private static BinaryOperator<Object> ofTexts(BiPredicate<String, String> test) {
    return (a, b) ->
        a instanceof String x && b instanceof String y ? (Object) test.test(x, y) : Special.ERROR;
  }

  private static Object sum(Object a, Object b) {
    Effort.current().make(length(a) + length(b));
    return Operators.plus(a, b);
  }

  private static Object size(Object value) {
    if (value instanceof String text) {
      return (long) text.codePointCount(0, text.length());
    }
    if (value instanceof Map<?, ?> map) {
      return (long) map.size();
    }
    return value instanceof List<?> || value instanceof CelByteString
        ? (Object) length(value)
        : Special.ERROR;
  }

  private static Object ordered(Comparison order, Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return order.holds(Numbers.compare(x, y));
    }
    Effort.current().spend(CALL_STEPS + (length(a) + length(b)) / Effort.CHARACTERS_A_STEP);
    if (a instanceof String x && b instanceof String y) {
      return order.holds(CodePoints.compare(x, y));
    }
    if (a instanceof Instant x && b instanceof Instant y) {
      return order.holds(Integer.signum(x.compareTo(y)));
    }
    if (a instanceof Duration x && b instanceof Duration y) {
      return order.holds(Integer.signum(x.compareTo(y)));
    }
    if (a instanceof Boolean x && b instanceof Boolean y) {
      return order.holds(x.compareTo(y));
    }
    return a instanceof CelByteString x && b instanceof CelByteString y
        ? (Object)
            order.holds(
                Integer.signum(CelByteString.unsignedLexicographicalComparator().compare(x, y)))
        : Special.ERROR;
  }

  private static Object in(Object value, Object of) {
    if (of instanceof List<?> list) {
      return Equality.isIn(value, list);
    }
    return of instanceof Map<?, ?> map ? Equality.find(map, value) != null : Special.ERROR;
  }

  private static Object at(Object of, Object index) {
    if (of instanceof Map<?, ?> map) {
      Object found = Equality.find(map, index);
      return found == null ? Special.ERROR : found;
    }
    if (!(of instanceof List<?> list) || !(index instanceof Number number)) {
      return Special.ERROR;
    }
    boolean isThere =
        Numbers.compare(number, 0L) >= 0
            && Numbers.compare(number, (long) list.size()) < 0
            && Numbers.isWhole(number.doubleValue());
    return isThere ? list.get(number.intValue()) : Special.ERROR;
  }

  /** Returns the member of a map that has a name. */
  static Object member(Object of, String name) {
    Object found = of instanceof Map<?, ?> map ? map.get(name) : null;
    return found == null ? Special.ERROR : found;
  }
}
