package hourglass.config.settings;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import hourglass.bucketing.EventType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Conversions of values, on top of those of typesafe-config. Each throws an exception for a value
 * that is not allowed. A number, a boolean or a list may also be given as text, such as from --set.
 */
final class Kinds {
  /** A number with a unit. The library would read one without a unit as milliseconds. */
  private static final Pattern DURATION = Pattern.compile("0|\\d+(\\.\\d+)?\\s*[a-z]+");

  /** A number with a fraction, and its unit. */
  private static final Pattern FRACTION = Pattern.compile("(\\d+\\.\\d+)\\s*([A-Za-z]+)");

  private static final Pattern BYTES = Pattern.compile("\\d+|\\d+(\\.\\d+)?\\s*[A-Za-z]+");

  private static final String KEY = "value";

  /** The number that stands for a size that the engine chooses. */
  static final long AUTO_BYTES = -1;

  /** Accepts any text. */
  static final Function<ConfigValue, String> TEXT = Kinds::plain;

  /** Accepts any text that is not empty. */
  static final Function<ConfigValue, String> NAME =
      text(
          text -> {
            require(!text.isEmpty());
            return text;
          });

  /** Accepts a password, which is used as it is written, digits and blanks too. */
  static final Function<ConfigValue, String> SECRET = value -> value.atKey(KEY).getString(KEY);

  static final Function<ConfigValue, Boolean> TRUTH = either("true", "false");

  private Kinds() {}

  static <T> Function<ConfigValue, T> text(Function<String, T> read) {
    return value -> read.apply(plain(value));
  }

  /** Accepts one of two words, of which the first stands for true. */
  static Function<ConfigValue, Boolean> either(String isTrue, String isFalse) {
    return text(
        text -> {
          require(text.equals(isTrue) || text.equals(isFalse));
          return text.equals(isTrue);
        });
  }

  /** Accepts a list of values, which may be empty. Empty texts are left out. */
  static <T> Function<ConfigValue, List<T>> list(Function<String, T> read) {
    return value -> elements(value).stream().filter(text -> !text.isEmpty()).map(read).toList();
  }

  /** Accepts a list that is not empty. */
  static <T> Function<ConfigValue, List<T>> some(Function<ConfigValue, List<T>> list) {
    return list.andThen(
        values -> {
          require(!values.isEmpty());
          return values;
        });
  }

  /** Accepts a whole number in [min, max]. */
  static Function<ConfigValue, Integer> count(int min, int max) {
    return text(text -> Math.toIntExact(within(Long.parseLong(text), (long) min, (long) max)));
  }

  /** Accepts a size in [min, max]. */
  static Function<ConfigValue, Long> bytes(long min, long max) {
    return text(text -> within(bytes(text), min, max));
  }

  /** Accepts a size in [min, max], or the word auto, which stands for {@link #AUTO_BYTES}. */
  static Function<ConfigValue, Long> bytesOrAuto(long min, long max) {
    return or("auto", AUTO_BYTES, bytes(min, max));
  }

  /** Accepts a duration in [min, max]. */
  static Function<ConfigValue, Duration> duration(String min, String max) {
    Duration least = duration(min);
    Duration most = duration(max);
    return text(text -> within(duration(text), least, most));
  }

  /** Accepts a value of another kind, or a word that stands for a special value. */
  static <T> Function<ConfigValue, T> or(String word, T meant, Function<ConfigValue, T> kind) {
    return value -> word.equals(String.valueOf(value.unwrapped())) ? meant : kind.apply(value);
  }

  /** Accepts one of some constants, as a word in lower case. */
  static <E extends Enum<E>> Function<String, E> word(Collection<E> allowed) {
    return text ->
        allowed.stream()
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
            .findFirst()
            .orElseThrow(IllegalArgumentException::new);
  }

  /** Accepts a map, whose entries {@code read} converts. */
  static <V> Function<ConfigValue, Map<String, V>> map(BiFunction<String, ConfigValue, V> read) {
    return value -> {
      Map<String, V> values = new TreeMap<>();
      entries(value).forEach((name, one) -> values.put(name, read.apply(name, one)));
      return values;
    };
  }

  /** Accepts a map from event types to values of another kind. */
  static <V> Function<ConfigValue, Map<String, V>> perType(Function<ConfigValue, V> kind) {
    return map(
        (type, value) -> {
          if (value instanceof ConfigObject nested) {
            throw unquoted("type", type, String.join(".", nested.keySet()));
          }
          try {
            EventType.check(type);
            return kind.apply(value);
          } catch (RuntimeException e) {
            throw new IllegalArgumentException("wrong for the type " + ConfigUtil.joinPath(type));
          }
        });
  }

  /** Returns the exception for a name with dots that is read as nested maps. */
  static IllegalArgumentException unquoted(String what, String name, String below) {
    return new IllegalArgumentException(
        "a %s with dots is written in quotes: %s"
            .formatted(what, ConfigUtil.quoteString(name + "." + below)));
  }

  static ConfigObject entries(ConfigValue value) {
    require(value instanceof ConfigObject);
    return (ConfigObject) value;
  }

  /** Reads a duration, which has a unit unless it is 0. A day has 24 hours. */
  static Duration duration(String text) {
    require(DURATION.matcher(text).matches());
    String withUnit = text.replaceFirst("(?<=m)in$|(?<=s)ec$", "");
    Duration read = ConfigValueFactory.fromAnyRef(withUnit).atKey(KEY).getDuration(KEY);
    require(isExact(withUnit, BigDecimal.valueOf(read.toNanos()), one -> duration(one).toNanos()));
    return read;
  }

  /** Reads a size in bytes. A number without a unit counts bytes. */
  static long bytes(String text) {
    require(BYTES.matcher(text).matches());
    long read = ConfigValueFactory.fromAnyRef(text).atKey(KEY).getBytes(KEY);
    require(isExact(text, BigDecimal.valueOf(read), Kinds::bytes));
    return read;
  }

  /** Returns whether a fraction was read without a rest, which the library would cut off. */
  private static boolean isExact(String text, BigDecimal read, ToLongFunction<String> ofUnit) {
    Matcher fraction = FRACTION.matcher(text);
    return !fraction.matches()
        || new BigDecimal(fraction.group(1))
                .multiply(BigDecimal.valueOf(ofUnit.applyAsLong("1" + fraction.group(2))))
                .compareTo(read)
            == 0;
  }

  static void require(boolean isAllowed) {
    if (!isAllowed) {
      throw new IllegalArgumentException();
    }
  }

  private static List<String> elements(ConfigValue value) {
    return value instanceof ConfigList list
        ? list.stream().map(Kinds::plain).toList()
        : Arrays.stream(plain(value).split(",")).map(String::strip).toList();
  }

  private static String plain(ConfigValue value) {
    return SECRET.apply(value).strip();
  }

  private static <C extends Comparable<C>> C within(C value, C min, C max) {
    require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
    return value;
  }
}
