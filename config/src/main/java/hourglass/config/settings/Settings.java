package hourglass.config.settings;

import com.typesafe.config.ConfigValue;
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
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
 * @param warmUp processor time for the queries of a {@code WarmUp}; zero for none
 * @param text a settings file of these values and their sources, without passwords
 */
public record Settings(
    Set<Role> roles,
    HttpOptions http,
    @Nullable Path keysFile,
    Limits limits,
    AuditOptions audit,
    LogFormat logFormat,
    BackupOptions backup,
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
    long rowCacheBytes,
    Duration warmUp,
    String text) {

  /** Reads the sources. Throws a {@link SettingsException} that names everything that is wrong. */
  public static Settings load(SettingsSources sources) {
    return read(SettingsReader.of(sources));
  }

  /**
   * Returns a settings file of the values in force and their sources, without passwords. Throws a
   * {@link SettingsException} as {@link #load} does.
   */
  public static String text(SettingsSources sources) {
    return load(sources).text();
  }

  /** Returns the settings that hold where no source has a value. */
  public static Settings defaults() {
    return read(SettingsReader.ofDefaults());
  }

  private static Settings read(SettingsReader reader) {
    Path keysFile = reader.file("keys.file");
    boolean hasKeys = keysFile != null;
    HttpOptions http = HttpOptions.read(reader, hasKeys);
    String syslogKey = IngestSettings.readSyslogKey(reader, hasKeys);
    PlannerOptions planner = QuerySettings.readPlanner(reader);
    FixedShards shards = QuerySettings.readShards(reader);
    QueryOptions query = QuerySettings.read(reader, planner, shards);
    Duration timeout = Duration.ofMillis(query.bounds().timeoutMillis());
    StoreOptions store = StoreSettings.read(reader, timeout);
    return reader.finish(
        new Settings(
            EnumSet.copyOf(
                reader.get("roles", Kinds.some(Kinds.list(Kinds.word(EnumSet.allOf(Role.class)))))),
            http,
            keysFile,
            readLimits(reader),
            readAudit(reader),
            reader.get("log.format", Kinds.text(Kinds.word(EnumSet.allOf(LogFormat.class)))),
            readBackup(reader),
            store,
            shards,
            planner,
            reader.group("ingest", each -> IngestSettings.read(each, store.retention())),
            IngestSettings.readPushRules(reader),
            IngestSettings.readProtocols(reader),
            IngestSettings.readLokiLabels(reader),
            reader.get("protocols.otlp.traces", Kinds.TRUTH),
            IngestSettings.readKafka(reader),
            IngestSettings.readSyslog(reader, http, hasKeys, syslogKey),
            syslogKey,
            query,
            QuerySettings.readTails(reader),
            QuerySettings.readRowCacheBytes(reader, store),
            reader.get("query.warm-up", Kinds.duration("0", "1 min")),
            reader.text()));
  }

  private static Limits readLimits(SettingsReader reader) {
    Function<ConfigValue, Integer> count = Kinds.count(0, 1_000_000_000);
    Function<ConfigValue, Long> bytes = Kinds.bytes(0, 1L << 40);
    return new Limits(
        reader.get("limits.events-per-second", count),
        reader.get("limits.bytes-per-second", bytes),
        reader.get("limits.requests", count),
        reader.get("limits.queries", count),
        reader.get("limits.tails", count),
        reader.get("limits.read-bytes-per-minute", bytes));
  }

  private static AuditOptions readAudit(SettingsReader reader) {
    return new AuditOptions(
        reader.file("audit.file"),
        reader.get("audit.export-bytes", Kinds.bytes(1, 1L << 50)),
        AuditOptions.DEFAULT.rotateBytes(),
        reader.get("audit.keep", Kinds.count(0, 1_000)));
  }

  private static BackupOptions readBackup(SettingsReader reader) {
    return new BackupOptions(
        reader.get("backup.dirs", Kinds.list(Settings::folder)),
        reader.get("backup.bytes-per-second", Kinds.bytes(0, 1L << 40)));
  }

  static Path folder(String text) {
    Path folder = Path.of(text);
    Kinds.require(folder.isAbsolute());
    return folder;
  }

  public boolean plays(Role role) {
    return roles.contains(role);
  }
}
