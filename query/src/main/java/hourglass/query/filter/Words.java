package hourglass.query.filter;

import hourglass.store.FieldValue;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The function {@code hasWords}: whether a value contains the words of a text, one after the other
 * and in any case. A text without a word is found as it stands.
 *
 * <pre>
 * data.message.hasWords("timeout")    in a text with white space: the words occur in it
 * data.tags.hasWords("timeout")       in a list: an element is the text, or has the words
 * data.hasWords("timeout")            in the payload: they occur in one of its texts
 * </pre>
 *
 * A text without white space is one word, which {@code ==} compares. Every other value contains no
 * words. Immutable.
 */
public final class Words implements TextTest {
  private static final Pattern MAY_BE_NUMBER = Pattern.compile("^[-+]?\\.?\\p{Nd}");

  private final String text;
  private final @Nullable WordSearch words;
  private final FoldedSearch asItStands;

  /** The {@code text} has at least one character. */
  public Words(String text) {
    this.text = text;
    words = WordSearch.of(text);
    asItStands = new FoldedSearch(text);
  }

  /** Returns a search of whole payloads. */
  public PayloadSearch inPayload() {
    return PayloadSearch.ofWords(text);
  }

  @Override
  public int ofText(byte[] bytes, int from, int to) {
    return Outcomes.of(
        hasSpace(bytes, from, to)
            && (words == null
                ? asItStands.isIn(bytes, from, to)
                : words.isInText(bytes, from, to)));
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

  /** An element of a list may be a number that equals the text, however it is spelled. */
  @Override
  public RequiredTexts requiredTexts() {
    return words == null || MAY_BE_NUMBER.matcher(text).find()
        ? RequiredTexts.NONE
        : RequiredTexts.of(words);
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
