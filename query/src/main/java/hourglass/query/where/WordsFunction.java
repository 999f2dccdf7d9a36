package hourglass.query.where;

import hourglass.query.filter.Effort;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.Words;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The function {@code hasWords} on values of CEL, within the current {@link Effort}. */
final class WordsFunction {
  static final String NAME = "hasWords";

  /**
   * The longest text that is compared with a number. A longer one equals no number of JSON that has
   * a value.
   */
  private static final int NUMBER_LENGTH_MAX = 400;

  private final String text;
  private final Words words;

  private WordsFunction(String text) {
    this.text = text;
    words = new Words(text);
  }

  /**
   * Whether a value contains the words of a text; an error if {@code text} is not a text, or is
   * empty.
   */
  static Object in(Object value, Object text) {
    return text instanceof String words && !words.isEmpty()
        ? (Object) new WordsFunction(words).isIn(value)
        : Special.ERROR;
  }

  private boolean isIn(Object value) {
    Effort effort = Effort.current();
    effort.spend(1 + text.length() / Effort.CHARACTERS_A_STEP);
    if (value instanceof String of) {
      effort.spend(of.length() / Effort.CHARACTERS_A_STEP);
      byte[] bytes = of.getBytes(StandardCharsets.UTF_8);
      return words.ofText(bytes, 0, bytes.length) == Outcomes.TRUE;
    }
    if (value instanceof List<?> list) {
      return list.stream().anyMatch(this::isElement);
    }
    return value instanceof JsonObject object && object.isPayloadWith(words.inPayload());
  }

  private boolean isElement(Object element) {
    if (element instanceof List<?>) {
      return false;
    }
    if (element instanceof Map<?, ?>) {
      return isIn(element); // only the payload has words, and no map is a text
    }
    return element instanceof Number number
        ? isEqual(number)
        : element == Special.NULL
            ? text.equals("null")
            : String.valueOf(element).equals(text) || isIn(element);
  }

  private boolean isEqual(Number number) {
    if (text.length() > NUMBER_LENGTH_MAX) {
      return false;
    }
    Effort.current().spend(1 + text.length());
    try {
      return new BigDecimal(text).compareTo(new BigDecimal(number.toString())) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
