package hourglass.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import hourglass.ingest.kafka.TopicSelection;
import hourglass.store.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of settings. A number, a truth or a list may also be text, as from --set. */
final class Kinds {
  private Kinds() {}

  /** A retention of at least {@code min}, or the word keep. */
  static Kind<Duration> retention(Duration min) {
    return or("keep", Retention.FOREVER, duration(min, Retention.FOREVER));
  }

  /** Must not be empty. */
  static Kind<String> text(String allowed) {
    return scalar(
        allowed,
        text -> {
          if (text.isEmpty()) {
            throw new IllegalArgumentException();
          }
          return text;
        },
        ConfigUtil::quoteString);
  }

  static Kind<String> optionalText(String allowed) {
    return scalar(allowed, text -> text, ConfigUtil::quoteString);
  }

  /** A password, taken as it is; empty: none. */
  static Kind<String> secret() {
    return new Secret();
  }

  /** At least one text, none of them empty. */
  static Kind<List<String>> texts(String allowed) {
    return new Scalar<>(
        allowed,
        value -> {
          List<String> texts = elements(value);
          if (texts.isEmpty() || texts.contains("")) {
            throw new IllegalArgumentException();
          }
          return texts;
        },
        texts ->
            texts.stream()
                .map(ConfigUtil::quoteString)
                .collect(Collectors.joining(", ", "[", "]")));
  }

  /** May be empty. */
  static <T> Kind<List<T>> list(String allowed, Function<String, T> read) {
    return new Scalar<>(
        allowed,
        value -> elements(value).stream().filter(text -> !text.isEmpty()).map(read).toList(),
        list ->
            list.stream()
                .map(one -> ConfigUtil.quoteString(one.toString()))
                .collect(Collectors.joining(", ", "[", "]")));
  }

  /** May be empty; patterns stand between slashes. */
  static Kind<TopicSelection> topics() {
    return new Scalar<>(
        "a list of topics and of /patterns/, as in [orders, \"/shop\\..*/\"]",
        value -> new TopicSelection(elements(value)),
        topics ->
            topics.texts().stream()
                .map(ConfigUtil::quoteString)
                .collect(Collectors.joining(", ", "[", "]")));
  }

  static Kind<Boolean> truth() {
    return scalar(
        "true or false",
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException();
            },
        String::valueOf);
  }

  /** Both bounds are included. */
  static Kind<Integer> count(int min, int max, String hint) {
    return scalar(
        "a whole number from " + min + " to " + max + hint,
        text -> Math.toIntExact(within(Long.parseLong(text), min, max)),
        String::valueOf);
  }

  /** Both bounds are included. */
  static Kind<Long> bytes(long min, long max) {
    return scalar(
        "a size such as 512 KiB or 64 MiB, from "
            + Quantity.showBytes(min)
            + " to "
            + Quantity.showBytes(max),
        text -> within(Quantity.bytes(text), min, max),
        Quantity::showBytes);
  }

  /** Both bounds are included. */
  static Kind<Duration> duration(Duration min, Duration max) {
    return scalar(
        "a duration such as 500 ms, 10 min or 30d, from "
            + Quantity.show(min)
            + " to "
            + Quantity.show(max),
        text -> within(Quantity.duration(text), min, max),
        Quantity::show);
  }

  /** A value, or a word that stands for a special one. */
  static <T> Kind<T> or(String word, T meant, Kind<T> kind) {
    return new Scalar<>(
        word + ", or " + kind.allowed(),
        value -> word.equals(value.unwrapped()) ? meant : kind.read(value),
        shown -> shown.equals(meant) ? word : kind.show(shown));
  }

  /** One word, in lower case. */
  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type, String hint) {
    return scalar(
        words(List.of(type.getEnumConstants()), " or ") + hint,
        text -> word(type, text),
        Kinds::word);
  }

  /** At least one word; repeats are one. */
  static <E extends Enum<E>> Kind<Set<E>> someOf(Class<E> type) {
    return new Scalar<>(
        "a list of one or more of " + words(List.of(type.getEnumConstants()), ", "),
        value -> {
          Set<E> some = EnumSet.noneOf(type);
          elements(value).forEach(text -> some.add(word(type, text)));
          if (some.isEmpty()) {
            throw new IllegalArgumentException();
          }
          return some;
        },
        some -> "[" + words(some, ", ") + "]");
  }

  /** A type with dots or other signs is quoted. */
  static <V> Kind<Map<String, V>> perType(Kind<V> kind, Function<String, String> checkType) {
    return new PerType<>(kind, checkType);
  }

  static <T> Kind<T> scalar(String allowed, Function<String, T> read, Function<T, String> show) {
    return new Scalar<>(allowed, value -> read.apply(plain(value)), show);
  }

  private record Scalar<T>(
      String allowed, Function<ConfigValue, T> reader, Function<T, String> shower)
      implements Kind<T> {
    @Override
    public T read(ConfigValue value) {
      return reader.apply(value);
    }

    @Override
    public String show(T value) {
      return shower.apply(value);
    }
  }

  private record Secret() implements Kind<String> {
    @Override
    public String read(ConfigValue value) {
      plain(value);
      // Digits stay as they were written: 0012 is not 12.
      return value.atKey("secret").getString("secret");
    }

    @Override
    public String allowed() {
      return "a text; empty: none";
    }

    @Override
    public String show(String value) {
      return value.isEmpty() ? "\"\"" : Secrets.HIDDEN;
    }

    @Override
    public boolean isSecret() {
      return true;
    }
  }

  private record PerType<V>(Kind<V> kind, Function<String, String> checkType)
      implements Kind<Map<String, V>> {
    @Override
    public Map<String, V> read(ConfigValue value) {
      if (!(value instanceof ConfigObject entries)) {
        throw new IllegalArgumentException();
      }
      Map<String, V> read = new TreeMap<>();
      entries.forEach((type, one) -> read.put(checkType.apply(type), readOne(type, one)));
      return read;
    }

    private V readOne(String type, ConfigValue one) {
      if (one instanceof ConfigObject nested) {
        String dotted = type + "." + String.join(".", nested.keySet());
        throw new IllegalArgumentException(
            "a type with dots is written in quotes: " + ConfigUtil.quoteString(dotted));
      }
      try {
        return kind.read(one);
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "for the type " + ConfigUtil.joinPath(type) + " want " + kind.allowed());
      }
    }

    @Override
    public String allowed() {
      return "a map such as { checkout = ..., \"user.created\" = ... }, each " + kind.allowed();
    }

    @Override
    public String show(Map<String, V> values) {
      return values.isEmpty()
          ? "{}"
          : new TreeMap<>(values)
              .entrySet().stream()
                  .map(e -> ConfigUtil.joinPath(e.getKey()) + " = " + kind.show(e.getValue()))
                  .collect(Collectors.joining(", ", "{ ", " }"));
    }

    @Override
    public boolean isMap() {
      return true;
    }
  }

  private static List<String> elements(ConfigValue value) {
    if (value.valueType() == ConfigValueType.LIST) {
      List<String> texts = new ArrayList<>();
      ((List<?>) value.unwrapped()).forEach(element -> texts.add(String.valueOf(element)));
      return texts;
    }
    return Stream.of(plain(value).split(",")).map(String::strip).toList();
  }

  private static String plain(ConfigValue value) {
    return switch (value.valueType()) {
      case STRING, NUMBER, BOOLEAN -> String.valueOf(value.unwrapped()).strip();
      default -> throw new IllegalArgumentException();
    };
  }

  private static <C extends Comparable<C>> C within(C value, C min, C max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static long within(long value, int min, int max) {
    return within((Long) value, (long) min, (long) max);
  }

  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    return Stream.of(type.getEnumConstants())
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
