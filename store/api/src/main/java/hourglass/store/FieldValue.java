package hourglass.store;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A string or number under a key, for {@link FieldFilter#required}. Without both, it stands for all
 * strings with a blank and all arrays under the key. Immutable.
 *
 * @param key of the member that has the value, not of the objects around it
 * @param text the string's characters; null for others
 * @param number the value of a number in any spelling; null for others
 */
public record FieldValue(String key, @Nullable String text, @Nullable BigDecimal number) {

  public FieldValue {
    if (text != null && number != null) {
      throw new IllegalArgumentException(key + ": " + text + ", " + number + ": not one of both");
    }
  }

  public static FieldValue of(String key, String text) {
    return new FieldValue(key, text, null);
  }

  public static FieldValue ofSeveralWords(String key) {
    return new FieldValue(key, null, null);
  }

  public boolean isSeveralWords() {
    return text == null && number == null;
  }

  public static FieldValue of(String key, BigDecimal number) {
    return new FieldValue(key, null, number);
  }
}
