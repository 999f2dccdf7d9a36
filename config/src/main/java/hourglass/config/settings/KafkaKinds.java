package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import hourglass.ingest.decode.FieldMapping;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class KafkaKinds {
  private static final List<String> MAPPING_KEYS =
      FieldMapping.NAMES.stream().map(KafkaKinds::mappingKey).toList();

  /**
   * The form of a broker's address that the Kafka client accepts; the part before :// is the
   * protocol of the listener.
   */
  private static final Pattern BROKER =
      Pattern.compile("([A-Za-z0-9_.-]+://)?([A-Za-z0-9._-]+|\\[[0-9A-Za-z:.%_-]+]):([0-9]{1,5})");

  private static final int PORT_MAX = 65_535;

  private KafkaKinds() {}

  static Kind<String> brokers() {
    return Kinds.scalar(
        "brokers, as in 10.0.0.1:9092,10.0.0.2:9092; empty: no Kafka",
        KafkaKinds::brokers,
        ConfigUtil::quoteString);
  }

  private static String brokers(String text) {
    for (String broker : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher matcher = BROKER.matcher(broker.trim());
      if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > PORT_MAX) {
        throw new IllegalArgumentException(
            "\"" + broker.trim() + "\" is not a broker as 10.0.0.1:9092");
      }
    }
    return text;
  }

  static Kind<Map<String, FieldMapping>> mappings() {
    return Kinds.map(
        "a map such as { orders { type-field = kind, time-field = at } }, with some of %s for each topic"
            .formatted(String.join(", ", MAPPING_KEYS)),
        KafkaKinds::mapping,
        KafkaKinds::show);
  }

  private static FieldMapping mapping(String topic, ConfigValue value) {
    ConfigObject fields = Kinds.entries(value);
    for (Map.Entry<String, ConfigValue> field : fields.entrySet()) {
      if (field.getValue() instanceof ConfigObject) {
        throw new IllegalArgumentException(
            "a topic with dots is written in quotes: "
                + ConfigUtil.quoteString(topic + "." + field.getKey()));
      }
      if (!MAPPING_KEYS.contains(field.getKey())) {
        throw new IllegalArgumentException(
            "%s.%s is unknown; want some of %s"
                .formatted(topic, field.getKey(), String.join(", ", MAPPING_KEYS)));
      }
    }
    Config config = fields.toConfig();
    try {
      return FieldMapping.of(
          part -> config.hasPath(mappingKey(part)) ? config.getString(mappingKey(part)) : null);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(topic + ": " + e.getMessage());
    }
  }

  private static String mappingKey(String part) {
    return part.replace('_', '-');
  }

  private static String show(FieldMapping mapping) {
    String type = mapping.type();
    return "{ type-field = %s, time-field = %s, id-field = %s%s }"
        .formatted(
            quoted(mapping.typeField()),
            quoted(mapping.timeField()),
            quoted(mapping.idField()),
            type == null ? "" : ", type = " + ConfigUtil.quoteString(type));
  }

  private static String quoted(@Nullable String field) {
    return ConfigUtil.quoteString(Objects.requireNonNull(field));
  }

  static Kind<Map<String, String>> client() {
    return new Kind<>(
        "a map of settings of the Kafka consumer, such as { security.protocol = SASL_SSL }",
        true,
        KafkaKinds::flat,
        settings -> settings.isEmpty() ? "{}" : Secrets.HIDDEN);
  }

  private static Map<String, String> flat(ConfigValue value) {
    Map<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, ConfigValue> entry : Kinds.entries(value).toConfig().entrySet()) {
      String key = String.join(".", ConfigUtil.splitPath(entry.getKey()));
      settings.put(key, text(entry.getValue().unwrapped()));
    }
    return settings;
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(value);
  }
}
