package hourglass.store;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A string or number under a key, for {@link FieldFilter#required}. If it has neither, it stands
 * for all strings that contain a blank and all arrays under the key. Immutable.
 *
 * @param key the key of the member that has the value, without the objects around it
 * @param text the string's characters; null for other values
 * @param number the value of a number in any spelling; null for other values
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
