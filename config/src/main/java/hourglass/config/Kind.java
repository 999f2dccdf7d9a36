package hourglass.config;

import com.typesafe.config.ConfigValue;

/** The kind of a setting's values: how one is read and shown, and which are allowed, in words. */
interface Kind<T> {

  /**
   * Reads a value, written as HOCON or as plain text.
   *
   * @throws IllegalArgumentException if it is not allowed; a message, if there is one, names {@link
   *     #allowed} does not
   */
  T read(ConfigValue value);

  /** The allowed values, in words that follow "want ". */
  String allowed();

  /** The value as one would write it in the file; {@link #read} takes it back. */
  String show(T value);

  /** Whether entries of its own stand below the key, as in {@code retention.types.checkout}. */
  default boolean isMap() {
    return false;
  }

  /** Whether the value is secret; {@link #show} then shows only whether there is one. */
  default boolean isSecret() {
    return false;
  }
}
