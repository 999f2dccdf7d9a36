package hourglass.config.settings;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;
import java.time.Duration;
import java.util.Map;

/** The settings of the engine, and of retention, which are the same for each engine. */
final class StoreSettings {
  private enum Engine {
    EMBEDDED,
    CASSANDRA
  }

  static final SettingGroup ALL = new SettingGroup("store");
  static final SettingGroup RETENTION = new SettingGroup("retention");

  static final StoreOptions DEFAULT = new StoreOptions.Embedded(EmbeddedSettings.DEFAULT);

  private static final Setting<Engine> ENGINE =
      ALL.key("engine", Kinds.oneOf(Engine.class), Engine.EMBEDDED)
          .about(
              "Where events are kept: in a folder of this machine, or in a cluster of Apache Cassandra"
                  + " that any number of processes share.");

  private static final Kind<Duration> KEPT = Kinds.retention("1 h");
  private static final Setting<Duration> RETENTION_DEFAULT =
      RETENTION
          .key("default", KEPT, Retention.DEFAULTS.byDefault())
          .about(
              "How long events are kept, counted from their time; whole hours go at once. Cassandra"
                  + " takes at most 3650 d, or keep.");
  private static final Setting<Map<String, Duration>> RETENTION_TYPES =
      RETENTION.key("types", Kinds.perType(KEPT), Map.of()).about("The same for single types.");

  private static final Setting<Duration> RETENTION_ARRIVALS =
      RETENTION
          .key("arrivals", Kinds.duration("1 min", "30 d"), Retention.DEFAULTS.lateArrivals())
          .about(
              "How long records of late arrivals are kept. A live tail that was away for longer gets "
                  + "a gap instead of them. At least twice `query.settle`.");

  /**
   * The longest settle delay with Cassandra. Its reader of late arrivals reads six slots of ten
   * seconds at a time, from before its clock to after it.
   */
  private static final Duration CASSANDRA_SETTLE_MAX = Duration.ofSeconds(20);

  private StoreSettings() {}

  /**
   * Reads the engine's options. The options of the engine that is not used must also be allowed.
   */
  static StoreOptions read(SettingsReader reader) {
    Retention retention =
        new Retention(
            reader.get(RETENTION_DEFAULT),
            reader.get(RETENTION_TYPES),
            reader.get(RETENTION_ARRIVALS));
    boolean isCassandra = reader.get(ENGINE) == Engine.CASSANDRA;
    if (isCassandra) {
      refuseTooLong(reader, retention);
    }
    refuseSettle(reader, isCassandra);
    Duration settle = reader.get(QuerySettings.SETTLE);
    EmbeddedOptions embedded =
        reader.group(
            "store.embedded",
            () -> EmbeddedSettings.read(reader, retention, settle),
            EmbeddedSettings.DEFAULT);
    CassandraOptions cassandra =
        reader.group(
            "store.cassandra",
            () ->
                CassandraSettings.read(
                    reader, isCassandra ? retention : Retention.DEFAULTS, settle),
            CassandraOptions.DEFAULTS);
    return isCassandra
        ? new StoreOptions.Cassandra(cassandra)
        : new StoreOptions.Embedded(embedded);
  }

  private static void refuseTooLong(SettingsReader reader, Retention retention) {
    String want = "keep, or at most " + Quantity.show(CassandraOptions.RETENTION_MAX);
    String why = ", which is the most that Cassandra takes";
    if (isTooLong(retention.byDefault())) {
      reader.refuse(RETENTION_DEFAULT, want + why);
    }
    if (retention.byType().values().stream().anyMatch(StoreSettings::isTooLong)) {
      reader.refuse(RETENTION_TYPES, want + " for each" + why);
    }
  }

  /**
   * Reports a settle delay that does not fit. Readers of late arrivals go back by the settle delay,
   * so writers must keep the records for that long.
   */
  private static void refuseSettle(SettingsReader reader, boolean isCassandra) {
    Duration settle = reader.get(QuerySettings.SETTLE);
    if (isCassandra && settle.compareTo(CASSANDRA_SETTLE_MAX) > 0) {
      String most = Quantity.show(CASSANDRA_SETTLE_MAX);
      reader.refuse(
          QuerySettings.SETTLE,
          "at most " + most + ", as far as late arrivals are read in Cassandra");
    } else if (reader.get(RETENTION_ARRIVALS).compareTo(settle.multipliedBy(2)) < 0) {
      String least = Quantity.show(settle.multipliedBy(2));
      reader.refuse(
          RETENTION_ARRIVALS, "at least " + least + ", twice " + QuerySettings.SETTLE.key());
    }
  }

  private static boolean isTooLong(Duration keep) {
    return keep.compareTo(CassandraOptions.RETENTION_MAX) > 0
        && keep.compareTo(Retention.FOREVER) < 0;
  }
}
