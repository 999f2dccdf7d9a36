package hourglass.config.settings;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.otlp.Otlp;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the protocols of other log stores on the HTTP port. Each protocol has the same
 * settings, but one that sends a stream offers no choice of identity.
 */
final class ProtocolSettings {
  static final SettingGroup ALL = new SettingGroup("protocols");

  /** The protocols in the order of the manual. */
  private static final List<ProtocolSettings> PROTOCOLS =
      List.of(
          ofBatches(ElasticBulk.NAME, "Elasticsearch's `/_bulk`", ElasticBulk.DEFAULTS),
          ofBatches(LokiPush.NAME, "Loki's push, `/loki/api/v1/push`,", LokiPush.DEFAULTS),
          ofBatches(Otlp.NAME, "OTLP, the protocol of OpenTelemetry, `/v1/logs`,", Otlp.DEFAULTS),
          ofBatches(
              SplunkCollector.NAME,
              "Splunk's HTTP Event Collector, `/services/collector`,",
              SplunkCollector.DEFAULTS),
          ofStream(
              JournalUpload.NAME,
              "the journal that systemd-journal-upload sends to `/upload`",
              JournalUpload.DEFAULTS));

  private static final Setting<Boolean> OTLP_TRACES =
      ALL.key(Otlp.NAME + ".traces", Kinds.truth(), false)
          .about("Whether a span of `/v1/traces` becomes an event; else spans are counted only.");

  /** The longest name of a field, which is the same limit as for fields in queries. */
  private static final int FIELD_CHARS_MAX = 256;

  private static final Setting<List<String>> LOKI_LABELS =
      ALL.key(
              LokiPush.NAME + ".labels",
              Kinds.list(
                  "a list of fields of few values, such as [host, \"http.method\"]",
                  ProtocolSettings::field),
              List.of())
          .about(
              "Fields that Grafana and logcli see as labels, beside those of Loki's pushes (docs/grafana.md).");

  private final String name;
  private final PushRules byDefault;
  private final Setting<Boolean> enabled;
  private final Setting<String> type;
  private final Setting<String> typeField;
  private final Setting<String> timeField;
  private final @Nullable Setting<IdentityRule> identity;

  private static ProtocolSettings ofBatches(String name, String title, PushRules byDefault) {
    return new ProtocolSettings(name, title, byDefault, true);
  }

  private static ProtocolSettings ofStream(String name, String title, PushRules byDefault) {
    return new ProtocolSettings(name, title, byDefault, false);
  }

  private ProtocolSettings(String name, String title, PushRules byDefault, boolean hasIdentity) {
    this.name = name;
    this.byDefault = byDefault;
    enabled =
        ALL.key(name + ".enabled", Kinds.truth(), true).about("Whether " + title + " is taken.");
    type =
        ALL.key(name + ".type", Kinds.optionalType(), "")
            .about(
                "One type for all its events; empty: as docs/shippers.md says. The parameter `type` or"
                    + " the header `Hourglass-Type` of a request comes first, and so for the next "
                    + (hasIdentity ? "three." : "two."));
    typeField =
        ALL.key(name + ".type-field", Kinds.optionalText("the name of a field; empty: none"), "")
            .about("A field of the payload whose text is the type, where an event has it.");
    timeField =
        ALL.key(name + ".time-field", Kinds.optionalText("the name of a field; empty: none"), "")
            .about("A field of the payload that is the time, where an event has it.");
    identity =
        hasIdentity
            ? ALL.key(
                    name + ".identity",
                    Kinds.oneOf(IdentityRule.class, IdentityRule.WITHOUT_KEY),
                    byDefault.items().identity())
                .about("As `ingest.identity`, for events without an id of the protocol.")
            : null;
  }

  /** Reads the rules of the enabled protocols, by name. */
  static Map<String, PushRules> read(SettingsReader reader) {
    Map<String, PushRules> rules = new LinkedHashMap<>();
    for (ProtocolSettings protocol : PROTOCOLS) {
      if (reader.get(protocol.enabled)) {
        rules.put(protocol.name, protocol.rules(reader));
      }
    }
    return rules;
  }

  /** Reads the fields that are Loki's labels, counted from the root of payloads. */
  static List<String> readLokiLabels(SettingsReader reader) {
    return reader.get(LOKI_LABELS);
  }

  private static String field(String text) {
    if (text.length() > FIELD_CHARS_MAX) {
      throw new IllegalArgumentException("a field of more than " + FIELD_CHARS_MAX);
    }
    return text.startsWith("data.") ? text.substring("data.".length()) : text;
  }

  /** Reads whether spans of OpenTelemetry become events. */
  static boolean readOtlpTraces(SettingsReader reader) {
    return reader.get(OTLP_TRACES);
  }

  private PushRules rules(SettingsReader reader) {
    Map<String, Setting<String>> parts =
        Map.of("type", type, "type_field", typeField, "time_field", timeField);
    Function<String, @Nullable String> given =
        part -> {
          Setting<String> setting = parts.get(part);
          String text = setting == null ? "" : reader.get(setting);
          return text.isEmpty() ? null : text;
        };
    ItemRules items = byDefault.items();
    FieldMapping mapping =
        reader.group("protocols." + name, () -> items.mapping().with(given), items.mapping());
    return byDefault.with(mapping, identity == null ? items.identity() : reader.get(identity));
  }
}
