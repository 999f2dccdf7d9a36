package hourglass.query.filter;

import hourglass.bytes.JsonNumber;
import java.util.Map;

/**
 * A test of the kind of a value, as in {@code type(data.a) == string}. It is uncertain for long
 * numbers. Immutable.
 */
public record KindTest(Comparison comparison, String kind) implements ValueTest {
  private static final Map<String, String> FIRST_BYTES =
      Map.of("string", "\"", "list", "[", "map", "{", "bool", "tf", "null_type", "n");

  private static final String INT = "int";
  private static final String DOUBLE = "double";

  /** The number of digits up to which a whole number certainly is an int of 64 bits. */
  private static final int INT_DIGITS = 18;

  /** Whether {@code name} is a kind that values of a payload may have. */
  public static boolean isKind(String name) {
    return FIRST_BYTES.containsKey(name) || name.equals(INT) || name.equals(DOUBLE);
  }

  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    String first = FIRST_BYTES.get(kind);
    if (first != null) {
      return comparison.outcomes(first.indexOf(bytes[from]) >= 0 ? 0 : 1);
    }
    if (!JsonNumber.begins(bytes[from])) {
      return comparison.outcomes(1);
    }
    for (int at = from; at < to; at++) {
      if (bytes[at] == '.' || bytes[at] == 'e' || bytes[at] == 'E') {
        return comparison.outcomes(kind.equals(DOUBLE) ? 0 : 1);
      }
    }
    return to - from > INT_DIGITS ? Outcomes.EITHER : comparison.outcomes(kind.equals(INT) ? 0 : 1);
  }
}
