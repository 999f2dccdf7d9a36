package hourglass.query.filter;

import hourglass.bytes.Json;
import hourglass.store.FieldValue;
import java.util.Optional;

/**
 * The function {@code hasWords}: whether a value contains words, one after the other and in any
 * case.
 *
 * <pre>
 * data.message.hasWords("timeout")    in a text of several words: those occur in it
 * data.tags.hasWords("timeout")       in a list: an element is the text, or has the words
 * data.hasWords("timeout")            in the payload: they occur anywhere in its JSON
 * </pre>
 *
 * A text without white space is one word, which {@code ==} compares. Every other value contains no
 * words. Immutable.
 */
public final class Words implements TextTest {
  private final String text;
  private final FoldedSearch inText;

  /** The {@code text} has at least one character. */
  public Words(String text) {
    this.text = text;
    inText = new FoldedSearch(text);
  }

  /**
   * Returns a search of the JSON of payloads, in which quotes and control characters are escaped.
   */
  public PayloadSearch inJson() {
    return new FoldedSearch(Json.escaped(text));
  }

  @Override
  public int ofText(byte[] bytes, int from, int to) {
    return Outcomes.of(hasSpace(bytes, from, to) && inText.isIn(bytes, from, to));
  }

  /**
   * Returns the outcomes for a value. They are uncertain for a list, since its elements may contain
   * escapes.
   */
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
}
