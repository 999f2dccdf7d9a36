package hourglass.config.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import hourglass.bucketing.EventType;
import hourglass.ingest.decode.LocalTimes;
import hourglass.ingest.kafka.TopicSelection;
import hourglass.store.Retention;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kinds of settings. A number, a boolean or a list may also be given as text, such as from
 * --set.
 */
final class Kinds {
  private Kinds() {}

  /** Accepts a retention of at least {@code min}, or the word keep. */
  static Kind<Duration> retention(String min) {
    return or("keep", Retention.FOREVER, duration(min, Quantity.show(Retention.FOREVER)));
  }

  /** Accepts any text that is not empty. */
  static Kind<String> text(String allowed) {
    return scalar(
        allowed,
        text -> {
          require(!text.isEmpty());
          return text;
        },
        ConfigUtil::quoteString);
  }

  static Kind<String> optionalText(String allowed) {
    return scalar(allowed, text -> text, ConfigUtil::quoteString);
  }

  /** Accepts a password, which is used as it is written. The empty text stands for no password. */
  static Kind<String> secret() {
    return new Kind<>(
        "a text; empty: none",
        true,
        value -> {
          plain(value);
          // The text keeps digits as they were written: 0012 is not 12.
          return value.atKey("secret").getString("secret");
        },
        text -> text.isEmpty() ? "\"\"" : Secrets.HIDDEN);
  }

  /** Accepts a list of at least one text, none of them empty. */
  static Kind<List<String>> texts(String allowed) {
    return new Kind<>(
        allowed,
        value -> {
          List<String> texts = elements(value);
          require(!texts.isEmpty() && !texts.contains(""));
          return texts;
        },
        Kinds::quoted);
  }

  /** Accepts a list of values, which may be empty. */
  static <T> Kind<List<T>> list(String allowed, Function<String, T> read) {
    return new Kind<>(
        allowed,
        value -> elements(value).stream().filter(text -> !text.isEmpty()).map(read).toList(),
        Kinds::quoted);
  }

  /** Accepts a list of topics and patterns, which may be empty. Patterns stand between slashes. */
  static Kind<TopicSelection> topics() {
    return new Kind<>(
        "a list of topics and of /patterns/, as in [orders, \"/shop\\..*/\"]",
        value -> new TopicSelection(elements(value)),
        topics -> quoted(topics.texts()));
  }

  static Kind<Boolean> truth() {
    return scalar(
        "true or false",
        text -> {
          require(text.equals("true") || text.equals("false"));
          return Boolean.valueOf(text);
        },
        String::valueOf);
  }

  /** Accepts one of two words, of which the first stands for true. */
  static Kind<Boolean> either(String isTrue, String isFalse) {
    return scalar(
        isTrue + " or " + isFalse,
        text -> {
          require(text.equals(isTrue) || text.equals(isFalse));
          return text.equals(isTrue);
        },
        is -> is ? isTrue : isFalse);
  }

  /** Accepts an event type. The empty text stands for none. */
  static Kind<String> optionalType() {
    return scalar(
        "an event type; empty: none",
        text -> text.isEmpty() ? text : EventType.check(text),
        ConfigUtil::quoteString);
  }

  /** Accepts a whole number in [min, max]. */
  static Kind<Integer> count(int min, int max) {
    return count(min, max, "");
  }

  static Kind<Integer> count(int min, int max, String hint) {
    return scalar(
        "a whole number from " + min + " to " + max + hint,
        text -> Math.toIntExact(within(Long.parseLong(text), (long) min, (long) max)),
        String::valueOf);
  }

  /** Accepts a size in [min, max]. */
  static Kind<Long> bytes(long min, long max) {
    return scalar(
        "a size such as 512 KiB or 64 MiB, from %s to %s"
            .formatted(Quantity.showBytes(min), Quantity.showBytes(max)),
        text -> within(Quantity.bytes(text), min, max),
        Quantity::showBytes);
  }

  /** Accepts a duration in [min, max]. */
  static Kind<Duration> duration(String min, String max) {
    Duration least = Quantity.duration(min);
    Duration most = Quantity.duration(max);
    return scalar(
        "a duration such as 500 ms, 10 min or 30d, from " + min + " to " + max,
        text -> within(Quantity.duration(text), least, most),
        Quantity::show);
  }

  /** Accepts a value of another kind, or a word that stands for a special value. */
  static <T> Kind<T> or(String word, T meant, Kind<T> kind) {
    return new Kind<>(
        word + ", or " + kind.allowed(),
        value -> word.equals(value.unwrapped()) ? meant : kind.read(value),
        shown -> shown.equals(meant) ? word : kind.show(shown));
  }

  /** Accepts the rule for times without an offset, as one word in lower case. */
  static Kind<String> localTimes() {
    return scalar(
        LocalTimes.ALLOWED,
        text -> {
          LocalTimes.zone(text);
          return text;
        },
        ConfigUtil::quoteString);
  }

  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type) {
    return oneOf(type, EnumSet.allOf(type));
  }

  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type, Set<E> allowed) {
    return scalar(
        words(allowed, " or "),
        text -> {
          E value = word(type, text);
          require(allowed.contains(value));
          return value;
        },
        Kinds::word);
  }

  /** Accepts a list of at least one word. Repeated words count once. */
  static <E extends Enum<E>> Kind<Set<E>> someOf(Class<E> type) {
    return new Kind<>(
        "a list of one or more of " + words(EnumSet.allOf(type), ", "),
        value -> {
          Set<E> some = EnumSet.noneOf(type);
          elements(value).forEach(text -> some.add(word(type, text)));
          require(!some.isEmpty());
          return some;
        },
        some -> "[" + words(some, ", ") + "]");
  }

  /**
   * Accepts a map from event types to values. A type that contains dots or other signs is quoted.
   */
  static <V> Kind<Map<String, V>> perType(Kind<V> kind) {
    return map(
        "a map such as { checkout = ..., \"user.created\" = ... }, each " + kind.allowed(),
        (type, value) -> ofType(kind, EventType.check(type), value),
        value -> "= " + kind.show(value));
  }

  private static <V> V ofType(Kind<V> kind, String type, ConfigValue value) {
    if (value instanceof ConfigObject nested) {
      String dotted = type + "." + String.join(".", nested.keySet());
      throw new IllegalArgumentException(
          "a type with dots is written in quotes: " + ConfigUtil.quoteString(dotted));
    }
    try {
      return kind.read(value);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "for the type " + ConfigUtil.joinPath(type) + " want " + kind.allowed());
    }
  }

  /**
   * Accepts a map. The text that {@code show} returns for a value includes an equals sign, where it
   * needs one, because a nested map needs none.
   */
  static <V> Kind<Map<String, V>> map(
      String allowed, BiFunction<String, ConfigValue, V> read, Function<V, String> show) {
    return new Kind<>(
        allowed,
        value -> {
          Map<String, V> values = new TreeMap<>();
          entries(value).forEach((name, one) -> values.put(name, read.apply(name, one)));
          return values;
        },
        values ->
            values.isEmpty()
                ? "{}"
                : values.entrySet().stream()
                    .map(e -> ConfigUtil.joinPath(e.getKey()) + " " + show.apply(e.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }")));
  }

  static <T> Kind<T> scalar(String allowed, Function<String, T> read, Function<T, String> show) {
    return new Kind<>(allowed, value -> read.apply(plain(value)), show);
  }

  static ConfigObject entries(ConfigValue value) {
    require(value instanceof ConfigObject);
    return (ConfigObject) value;
  }

  private static List<String> elements(ConfigValue value) {
    return value.unwrapped() instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : Stream.of(plain(value).split(",")).map(String::strip).toList();
  }

  private static String plain(ConfigValue value) {
    return switch (value.valueType()) {
      case STRING, NUMBER, BOOLEAN -> String.valueOf(value.unwrapped()).strip();
      default -> throw new IllegalArgumentException();
    };
  }

  private static String quoted(Collection<?> list) {
    return list.stream()
        .map(one -> ConfigUtil.quoteString(one.toString()))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static void require(boolean isAllowed) {
    if (!isAllowed) {
      throw new IllegalArgumentException();
    }
  }

  private static <C extends Comparable<C>> C within(C value, C min, C max) {
    require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
    return value;
  }

  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    return EnumSet.allOf(type).stream()
        .filter(one -> word(one).equals(text))
        .findFirst()
        .orElseThrow(IllegalArgumentException::new);
  }

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  private static String words(Collection<? extends Enum<?>> some, String between) {
    return some.stream().map(Kinds::word).collect(Collectors.joining(between));
  }
}
