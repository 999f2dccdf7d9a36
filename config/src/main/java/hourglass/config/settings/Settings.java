package hourglass.config.settings;

import hourglass.access.Limits;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.config.gate.audit.AuditOptions;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.kafka.KafkaOptions;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.syslog.SyslogOptions;
import hourglass.query.QueryOptions;
import hourglass.query.tail.TailOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one process.
 *
 * @param keysFile null if there are no keys, so that every client of the port may read and write
 * @param protocols the protocols of other log stores that are accepted, by name
 * @param lokiLabels fields that Loki's clients see as labels
 * @param otlpTraces whether spans of OpenTelemetry become events
 * @param kafka null if no topics are consumed
 * @param syslogKey the name of the key for syslog senders without a certificate; empty for none
 * @param rowCacheBytes 0 for no cache
 */
public record Settings(
    Set<Role> roles,
    HttpOptions http,
    @Nullable Path keysFile,
    Limits limits,
    AuditOptions audit,
    StoreOptions store,
    FixedShards shards,
    PlannerOptions planner,
    IngestOptions ingest,
    PushRules pushRules,
    Map<String, PushRules> protocols,
    List<String> lokiLabels,
    boolean otlpTraces,
    @Nullable KafkaOptions kafka,
    SyslogOptions syslog,
    String syslogKey,
    QueryOptions query,
    TailOptions tails,
    long rowCacheBytes) {

  /** Reads the sources. Throws a {@link SettingsException} that names everything that is wrong. */
  public static Settings load(SettingsSources sources) {
    SettingsReader reader = new SettingsReader(sources);
    StoreOptions store = StoreSettings.read(reader);
    Path keysFile = KeysSettings.readFile(reader);
    HttpOptions http = HttpSettings.read(reader, keysFile != null);
    return reader.finish(
        new Settings(
            reader.get(Catalogue.ROLES),
            http,
            keysFile,
            LimitSettings.read(reader),
            AuditSettings.read(reader),
            store,
            ShardSettings.read(reader),
            reader.group(
                "bucketing", () -> ShardSettings.readPlanner(reader), PlannerOptions.DEFAULTS),
            reader.group(
                "ingest",
                () -> IngestSettings.read(reader, store.retention()),
                IngestSettings.DEFAULT),
            IngestSettings.readPushRules(reader),
            ProtocolSettings.read(reader),
            ProtocolSettings.readLokiLabels(reader),
            ProtocolSettings.readOtlpTraces(reader),
            KafkaSettings.read(reader),
            SyslogSettings.read(reader, http, keysFile != null),
            SyslogSettings.readKey(reader, keysFile != null),
            reader.group("query", () -> QuerySettings.read(reader), QuerySettings.DEFAULT),
            QuerySettings.readTails(reader),
            QuerySettings.readRowCacheBytes(reader, store)));
  }

  public boolean plays(Role role) {
    return roles.contains(role);
  }
}
