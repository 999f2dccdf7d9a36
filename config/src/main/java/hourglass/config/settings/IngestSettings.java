package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import hourglass.bucketing.EventType;
import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LocalTimes;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.kafka.DeadLetterName;
import hourglass.ingest.kafka.KafkaOptions;
import hourglass.ingest.kafka.TopicSelection;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.otlp.Otlp;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.syslog.SyslogAddress;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import hourglass.ingest.syslog.SyslogOptions;
import hourglass.store.Retention;
import java.net.UnknownHostException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of ingest: its limits, pushes over HTTP, protocols of other log stores, syslog
 * and Kafka.
 */
final class IngestSettings {
  private static final List<String> MAPPING_KEYS =
      FieldMapping.NAMES.stream().map(IngestSettings::mappingKey).toList();

  private static final Function<ConfigValue, IdentityRule> IDENTITY =
      Kinds.text(Kinds.word(IdentityRule.WITHOUT_KEY));

  private IngestSettings() {}

  static IngestOptions read(SettingsReader reader, Retention retention) {
    return new IngestOptions(
        reader.get(
            "ingest.accept-late",
            Kinds.or("keep", Retention.FOREVER, Kinds.duration("0", "36525 d"))),
        reader.get("ingest.accept-early", Kinds.duration("0", "36525 d")),
        Math.toIntExact(reader.get("ingest.max-event-bytes", Kinds.bytes(1, 1 << 30))),
        Math.toIntExact(reader.get("ingest.max-body-bytes", Kinds.bytes(1, 1 << 30))),
        reader.get("ingest.max-in-flight-bytes", Kinds.bytes(1, 1L << 40)),
        IngestOptions.DEFAULTS.maxNesting(),
        IngestOptions.DEFAULTS.errorsListedMax(),
        retention);
  }

  static PushRules readPushRules(SettingsReader reader) {
    String type =
        reader.get(
            "ingest.default-type",
            Kinds.text(text -> text.isEmpty() ? text : EventType.check(text)));
    Optional<ZoneId> localTimes =
        reader.get(
            "ingest.time-zone", Kinds.text(zone -> Optional.ofNullable(LocalTimes.zone(zone))));
    ItemRules items =
        new ItemRules(
            FieldMapping.DEFAULT,
            type.isEmpty() ? null : type,
            reader.get("ingest.on-bad-time", Kinds.either("receipt", "refuse")),
            localTimes.orElse(null),
            reader.get("ingest.identity", IDENTITY));
    return new PushRules(items, reader.get("ingest.on-refused", Kinds.either("200", "400")));
  }

  /** Reads the rules of the enabled protocols, by name. */
  static Map<String, PushRules> readProtocols(SettingsReader reader) {
    Map<String, PushRules> rules = new LinkedHashMap<>();
    rules.put(ElasticBulk.NAME, ElasticBulk.DEFAULTS);
    rules.put(LokiPush.NAME, LokiPush.DEFAULTS);
    rules.put(Otlp.NAME, Otlp.DEFAULTS);
    rules.put(SplunkCollector.NAME, SplunkCollector.DEFAULTS);
    rules.put(JournalUpload.NAME, JournalUpload.DEFAULTS);
    rules.replaceAll((name, rule) -> readProtocol(reader, "protocols." + name, rule));
    rules.keySet().removeIf(name -> !reader.get("protocols." + name + ".enabled", Kinds.TRUTH));
    return rules;
  }

  /** Reads the rules of a protocol. One that sends a stream offers no choice of identity. */
  private static PushRules readProtocol(SettingsReader reader, String group, PushRules byDefault) {
    ItemRules items = byDefault.items();
    FieldMapping mapping =
        reader.group(
            group,
            each -> items.mapping().with(part -> textOrNull(each, group + "." + mappingKey(part))));
    String identity = group + ".identity";
    return byDefault.with(
        mapping,
        Reference.KEYS.containsKey(identity) ? reader.get(identity, IDENTITY) : items.identity());
  }

  /** Returns the text of a key; null if it is empty, or the protocol has no such key. */
  private static @Nullable String textOrNull(SettingsReader reader, String key) {
    String text = Reference.KEYS.containsKey(key) ? reader.get(key, Kinds.TEXT) : "";
    return text.isEmpty() ? null : text;
  }

  /** Reads the fields that are Loki's labels, counted from the root of payloads. */
  static List<String> readLokiLabels(SettingsReader reader) {
    return reader.get("protocols.loki.labels", Kinds.list(IngestSettings::label));
  }

  private static String label(String field) {
    if (field.length() > FieldMapping.NAME_CHARS_MAX) {
      throw new IllegalArgumentException(
          "a field of more than %d characters".formatted(FieldMapping.NAME_CHARS_MAX));
    }
    return field.startsWith("data.") ? field.substring("data.".length()) : field;
  }

  /**
   * Reads the options of syslog.
   *
   * @param key the name of the key for senders without a certificate; empty for none
   */
  static SyslogOptions readSyslog(
      SettingsReader reader, HttpOptions http, boolean hasKeys, String key) {
    SyslogOptions options =
        new SyslogOptions(
            reader.get("syslog.listen", Kinds.list(SyslogAddress::parse)),
            reader.get("syslog.time-zone", Kinds.text(ZoneId::of)),
            reader.get("syslog.max-connections", Kinds.count(1, 100_000)),
            reader.get("syslog.idle-timeout", Kinds.duration("10 s", "365 d")));
    for (SyslogAddress address : options.listen()) {
      String problem = problem(address, http, hasKeys && key.isEmpty());
      if (problem != null) {
        reader.refusePart("syslog.listen", address.toString(), problem);
      }
    }
    return options;
  }

  /** Reads the name of the key of syslog, and reports one that is set without a file of keys. */
  static String readSyslogKey(SettingsReader reader, boolean hasKeys) {
    String key = reader.get("syslog.key", Kinds.TEXT);
    if (!key.isEmpty() && !hasKeys) {
      reader.refuse("syslog.key", "no key, or keys.file");
    }
    return key;
  }

  /**
   * Returns why an address cannot work, or that it is reachable from other machines without
   * permission; otherwise null.
   */
  private static @Nullable String problem(
      SyslogAddress address, HttpOptions http, boolean needsKey) {
    TlsOptions tls = address.transport() == Transport.TLS ? http.tls() : null;
    ClientCertificates certificates = tls == null ? ClientCertificates.NONE : tls.clients();
    if (address.transport() == Transport.TLS && tls == null) {
      return "without a certificate; want http.tls.cert and http.tls.key";
    }
    if (needsKey && certificates == ClientCertificates.NONE) {
      return "its senders can show no key; want syslog.key = the name of one, or tls:// with"
          + " http.tls.client-auth = required";
    }
    if (certificates != ClientCertificates.REQUIRED && !http.allowOpen() && isOpen(address)) {
      return "reachable from other machines, or unknown; want a loopback address such as 127.0.0.1,"
          + " tls:// with http.tls.client-auth = required, or http.allow-open = true";
    }
    return null;
  }

  private static boolean isOpen(SyslogAddress address) {
    try {
      return !address.isLoopback();
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /** Reads the options of Kafka. Returns null if there are no brokers to consume from. */
  static @Nullable KafkaOptions readKafka(SettingsReader reader) {
    String servers =
        reader.get("kafka.bootstrap-servers", Kinds.text(KafkaOptions::checkedServers));
    TopicSelection topics =
        reader.get(
            "kafka.topics", value -> new TopicSelection(Kinds.list(topic -> topic).apply(value)));
    KafkaOptions options =
        new KafkaOptions(
            servers,
            topics,
            reader.get("kafka.group", Kinds.NAME),
            reader.get("kafka.consumers", Kinds.count(1, KafkaOptions.CONSUMERS_MAX)),
            reader.get("kafka.mappings", Kinds.map(IngestSettings::mapping)),
            reader.get("kafka.dead-letter", Kinds.text(DeadLetterName::parse)),
            reader.get("kafka.client", IngestSettings::client));
    if (!servers.isEmpty() && topics.texts().isEmpty()) {
      reader.refuse("kafka.topics", "at least one topic where there are kafka.bootstrap-servers");
    }
    if (servers.isEmpty() && !topics.texts().isEmpty()) {
      reader.refuse("kafka.bootstrap-servers", "brokers where there are kafka.topics");
    }
    if (options.feedsItself()) {
      reader.refuse("kafka.dead-letter", "a topic that is not among kafka.topics");
    }
    String fixed = options.fixedClientSetting();
    String problem =
        fixed != null
            ? fixed + ": not allowed; Hourglass sets it, since its promises rest on it"
            : servers.isEmpty() ? null : options.clientProblem();
    if (problem != null) {
      reader.refusePart("kafka.client", SettingProblem.HIDDEN, problem);
    }
    return servers.isEmpty() ? null : options;
  }

  private static FieldMapping mapping(String topic, ConfigValue value) {
    ConfigObject fields = Kinds.entries(value);
    for (Map.Entry<String, ConfigValue> field : fields.entrySet()) {
      if (field.getValue() instanceof ConfigObject) {
        throw Kinds.unquoted("topic", topic, field.getKey());
      }
      if (!MAPPING_KEYS.contains(field.getKey())) {
        throw new IllegalArgumentException("%s.%s is unknown".formatted(topic, field.getKey()));
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

  /** Returns the settings of the client, whose names may be nested or have dots. */
  private static Map<String, String> client(ConfigValue value) {
    Map<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, ConfigValue> entry : Kinds.entries(value).toConfig().entrySet()) {
      String key = String.join(".", ConfigUtil.splitPath(entry.getKey()));
      settings.put(key, clientText(entry.getValue().unwrapped()));
    }
    return settings;
  }

  private static String clientText(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(value);
  }
}
