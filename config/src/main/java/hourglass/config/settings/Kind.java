package hourglass.config.settings;

import com.typesafe.config.ConfigValue;
import java.util.function.Function;

/**
 * How values of a setting are read and shown, and which are allowed.
 *
 * @param allowed in words that follow "want "
 * @param isSecret then {@link #show} shows only whether there is a value
 */
record Kind<T>(
    String allowed,
    boolean isSecret,
    Function<ConfigValue, T> reader,
    Function<T, String> printer) {

  Kind(String allowed, Function<ConfigValue, T> reader, Function<T, String> printer) {
    this(allowed, false, reader, printer);
  }

  /**
   * Reads a value, written as HOCON or as plain text.
   *
   * @throws IllegalArgumentException if it is not allowed; its message, if any, adds to {@link
   *     #allowed}
   */
  T read(ConfigValue value) {
    return reader.apply(value);
  }

  /** As in the file; {@link #read} takes it back. */
  String show(T value) {
    return printer.apply(value);
  }
}
