package hourglass.config;

import com.typesafe.config.ConfigValue;

/** What values a setting takes: how one is read, shown again, and what is allowed in words. */
interface Kind<T> {

  /**
   * Reads a value, written as HOCON or as plain text.
   *
   * @throws IllegalArgumentException if it is not allowed; a message, where there is one, says what
   *     {@link #allowed} does not
   */
  T read(ConfigValue value);

  /** What is allowed, to follow "want ". */
  String allowed();

  /** The value as one would write it in the file; {@link #read} takes it back. */
  String show(T value);

  /** Whether entries of its own stand below the key, as in {@code retention.types.checkout}. */
  default boolean isMap() {
    return false;
  }

  /** Whether nobody else may read the value; {@link #show} then tells only whether there is one. */
  default boolean isSecret() {
    return false;
  }
}
