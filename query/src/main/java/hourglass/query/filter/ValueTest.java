package hourglass.query.filter;

import hourglass.store.FieldValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A test of a JSON value by its bytes. Immutable. */
public interface ValueTest {
  /**
   * Returns the outcomes for the value in {@code [from, to)}, which has no white space around it.
   */
  int outcomes(byte[] bytes, int from, int to);

  /** Returns the only value under this key for which the test can be true, if there is one. */
  default Optional<FieldValue> required(String key) {
    return Optional.empty();
  }

  /** Returns the texts and words that a payload needs for the test to be true. */
  default RequiredTexts requiredTexts() {
    return RequiredTexts.NONE;
  }

  /** Returns the comparison that a number passes if the test is true; null if there is none. */
  default @Nullable Bound bound() {
    return null;
  }

  /** A comparison with a value, which may be rounded. */
  record Bound(Comparison comparison, double value) {}

  /** The test that a value is true; an error if the value is neither true nor false. */
  ValueTest IS_TRUE =
      (bytes, from, to) ->
          switch (bytes[from]) {
            case 't' -> Outcomes.TRUE;
            case 'f' -> Outcomes.FALSE;
            default -> Outcomes.ERROR;
          };

  record NumberTest(Comparison comparison, TermValue constant) implements ValueTest {
    @Override
    public int outcomes(byte[] bytes, int from, int to) {
      return TermValue.of(bytes, from, to).outcomes(comparison, constant);
    }

    @Override
    public Optional<FieldValue> required(String key) {
      return comparison == Comparison.EQUAL
          ? constant.exact().map(number -> FieldValue.of(key, number))
          : Optional.empty();
    }

    @Override
    public @Nullable Bound bound() {
      return constant.isNumber() ? new Bound(comparison, constant.value().doubleValue()) : null;
    }
  }
}
