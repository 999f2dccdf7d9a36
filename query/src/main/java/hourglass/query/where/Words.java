package hourglass.query.where;

import dev.cel.common.values.NullValue;
import hourglass.bytes.Json;
import hourglass.query.where.json.Effort;
import hourglass.query.where.json.JsonView;
import hourglass.store.FieldValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The function {@code hasWords}: whether words occur in a value, one after the other and in any
 * case.
 *
 * <pre>
 * data.message.hasWords("timeout")    in a text of several words: those occur in it
 * data.tags.hasWords("timeout")       in a list: an element is the text, or has the words
 * data.hasWords("timeout")            in the payload: they occur anywhere in its JSON
 * </pre>
 *
 * A text without white space is one word, which {@code ==} compares. Every other value has no
 * words. Immutable.
 */
final class Words implements TextTest {
  static final String FUNCTION = "hasWords";

  private final String text;
  private final FoldedSearch inText;

  /** A text of at least one character. */
  Words(String text) {
    this.text = text;
    inText = new FoldedSearch(text);
  }

  /** Searches the JSON of payloads, in which quotes and control characters are escaped. */
  PayloadSearch inJson() {
    return new FoldedSearch(Json.escaped(text));
  }

  @Override
  public int ofText(byte[] bytes, int from, int to) {
    return Outcomes.of(hasSpace(bytes, from, to) && inText.isIn(bytes, from, to));
  }

  /** The library reads lists, since their elements may have escapes. */
  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    return switch (bytes[from]) {
      case '"' -> TextTest.super.outcomes(bytes, from, to);
      case '[' -> Outcomes.EITHER;
      default -> Outcomes.FALSE;
    };
  }

  @Override
  public Optional<FieldValue> required(String key) {
    return Optional.of(FieldValue.ofSeveralWords(key));
  }

  private static boolean hasSpace(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == ' ' || bytes[at] >= '\t' && bytes[at] <= '\r') {
        return true;
      }
    }
    return false;
  }

  /** As the library calls it, within the current {@link Effort}. */
  static boolean in(Object value, String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(FUNCTION + ": want a text of at least one character");
    }
    return new Words(text).isIn(value);
  }

  private boolean isIn(Object value) {
    Effort effort = Effort.current();
    effort.spend(1 + text.length() / Functions.CHARACTERS_A_STEP);
    if (value instanceof String of) {
      effort.spend(of.length() / Functions.CHARACTERS_A_STEP);
      byte[] bytes = of.getBytes(StandardCharsets.UTF_8);
      return ofText(bytes, 0, bytes.length) == Outcomes.TRUE;
    }
    if (value instanceof List<?> list) {
      return list.stream().anyMatch(this::isElement);
    }
    return value instanceof JsonView view && view.isPayload() && view.has(inJson()::isIn);
  }

  private boolean isElement(Object element) {
    if (element instanceof List<?>) {
      return false;
    }
    return element instanceof Number number
        ? isEqual(number)
        : element instanceof NullValue
            ? text.equals("null")
            : String.valueOf(element).equals(text) || isIn(element);
  }

  private boolean isEqual(Number number) {
    try {
      return new BigDecimal(text).compareTo(new BigDecimal(number.toString())) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
