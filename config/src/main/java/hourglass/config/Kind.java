package hourglass.config;

import com.typesafe.config.ConfigValue;

/** How values of a setting are read and shown, and which are allowed. */
interface Kind<T> {

  /**
   * Reads a value, written as HOCON or as plain text.
   *
   * @throws IllegalArgumentException if it is not allowed; its message, if any, adds to {@link
   *     #allowed}
   */
  T read(ConfigValue value);

  /** In words that follow "want ". */
  String allowed();

  /** As in the file; {@link #read} takes it back. */
  String show(T value);

  /** Whether its own entries stand below the key, as in {@code retention.types.checkout}. */
  default boolean isMap() {
    return false;
  }

  /** Then {@link #show} shows only whether there is a value. */
  default boolean isSecret() {
    return false;
  }
}
