package hourglass.query.filter;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import hourglass.store.FieldValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A test of the text of a JSON value, which is a string, or the spelling of a number, {@code true}
 * or {@code false}. Immutable.
 */
public record ScalarTest(TextTest test) implements ValueTest {
  /** The first characters of values that are not strings. */
  private static final String OTHERS = "-0123456789tf";

  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    if (bytes[from] != '"') {
      return test.ofText(bytes, from, to);
    }
    return JsonScan.hasEscape(bytes, from + 1, to - 1)
        ? test.outcomes(JsonString.decode(bytes, from + 1, to - 1))
        : test.ofText(bytes, from + 1, to - 1);
  }

  @Override
  public Optional<FieldValue> required(String key) {
    return test.required(key).filter(value -> isOnlyString(value.text()));
  }

  private static boolean isOnlyString(@Nullable String text) {
    return text != null && !text.isEmpty() && OTHERS.indexOf(text.charAt(0)) < 0;
  }
}
