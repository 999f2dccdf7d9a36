package hourglass.config.settings;

import com.typesafe.config.ConfigValue;
import java.util.function.Function;

/**
 * The kind of a setting: how its values are read and shown, and which are allowed.
 *
 * @param allowed the allowed values, in words that follow "want "
 * @param isSecret whether {@link #show} shows only that there is a value, not the value
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

  /** Shows a value in the form of the settings file, which {@link #read} accepts. */
  String show(T value) {
    return printer.apply(value);
  }
}
