package hourglass.config;

import hourglass.bucketing.EventType;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of the store: the engine, and retention, which is the same for each. */
final class StoreSettings {
  /** An engine that this version has. */
  private enum Engine {
    EMBEDDED,
    CASSANDRA
  }

  static final StoreOptions DEFAULT = new StoreOptions.Embedded(EmbeddedSettings.DEFAULT);

  private static final Setting<Engine> ENGINE =
      new Setting<>(
          "store.engine",
          Kinds.oneOf(Engine.class, ""),
          Engine.EMBEDDED,
          "Where events are kept: in a folder of this machine, or in a cluster of Apache Cassandra"
              + " that any number of processes share.");

  private static final Kind<Duration> RETENTION =
      Kinds.or("keep", Kinds.KEEP, Kinds.duration(Duration.ofHours(1), Kinds.KEEP));
  private static final Setting<Duration> RETENTION_DEFAULT =
      new Setting<>(
          "retention.default",
          RETENTION,
          Kinds.KEEP,
          "How long events are kept, counted from their time; whole hours go at once. Cassandra"
              + " takes at most 3650 d, or keep.");
  private static final Setting<Map<String, Duration>> RETENTION_TYPES =
      new Setting<>(
          "retention.types",
          Kinds.perType(RETENTION, EventType::check),
          Map.of(),
          "The same for single types.");

  private static final Setting<Duration> RETENTION_ARRIVALS =
      new Setting<>(
          "retention.arrivals",
          Kinds.duration(Duration.ofMinutes(1), Duration.ofDays(30)),
          EmbeddedSettings.DEFAULT.arrivalsKeep(),
          "How long records of late arrivals are kept. A live tail that was away for longer gets "
              + "a gap instead of them. At least twice `query.settle`.");

  /** A reader of notes sees six slots of ten seconds at a time, from behind its clock to ahead. */
  private static final Duration CASSANDRA_SETTLE_MAX = Duration.ofSeconds(20);

  static final List<Setting<?>> ALL =
      Stream.of(
              List.<Setting<?>>of(ENGINE),
              EmbeddedSettings.ALL,
              CassandraSettings.ALL,
              List.<Setting<?>>of(RETENTION_DEFAULT, RETENTION_TYPES, RETENTION_ARRIVALS))
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private StoreSettings() {}

  /** The options of the engine that is chosen; those of the others must be allowed all the same. */
  static StoreOptions read(SettingsReader reader) {
    Duration byDefault = Kinds.unlessKeep(reader.get(RETENTION_DEFAULT));
    Map<String, Duration> byType = reader.get(RETENTION_TYPES);
    boolean isCassandra = reader.get(ENGINE) == Engine.CASSANDRA;
    if (isCassandra) {
      refuseTooLong(reader, byDefault, byType);
    }
    refuseSettle(reader, isCassandra);
    EmbeddedOptions embedded =
        reader.group(
            "store.embedded",
            () ->
                EmbeddedSettings.read(
                    reader,
                    byDefault,
                    byType,
                    reader.get(QuerySettings.SETTLE),
                    reader.get(RETENTION_ARRIVALS)),
            EmbeddedSettings.DEFAULT);
    CassandraOptions cassandra =
        reader.group(
            "store.cassandra",
            () ->
                CassandraSettings.read(
                    reader,
                    isCassandra ? byDefault : null,
                    isCassandra ? byType : Map.of(),
                    reader.get(QuerySettings.SETTLE),
                    reader.get(RETENTION_ARRIVALS)),
            CassandraSettings.DEFAULT);
    return isCassandra
        ? new StoreOptions.Cassandra(cassandra)
        : new StoreOptions.Embedded(embedded);
  }

  private static void refuseTooLong(
      SettingsReader reader, @Nullable Duration byDefault, Map<String, Duration> byType) {
    String want = "keep, or at most " + Quantity.show(CassandraOptions.RETENTION_MAX);
    String why = ", which is the most that Cassandra takes";
    if (byDefault != null && isTooLong(byDefault)) {
      reader.refuse(RETENTION_DEFAULT, want + why);
    }
    if (byType.values().stream().anyMatch(StoreSettings::isTooLong)) {
      reader.refuse(RETENTION_TYPES, want + " for each" + why);
    }
  }

  /**
   * Readers of late arrivals go back by the settle delay, as far as writers must have kept records.
   */
  private static void refuseSettle(SettingsReader reader, boolean isCassandra) {
    Duration settle = reader.get(QuerySettings.SETTLE);
    if (isCassandra && settle.compareTo(CASSANDRA_SETTLE_MAX) > 0) {
      String most = Quantity.show(CASSANDRA_SETTLE_MAX);
      reader.refuse(
          QuerySettings.SETTLE, "at most " + most + ", as far as notes are read in Cassandra");
    } else if (reader.get(RETENTION_ARRIVALS).compareTo(settle.multipliedBy(2)) < 0) {
      String least = Quantity.show(settle.multipliedBy(2));
      reader.refuse(
          RETENTION_ARRIVALS, "at least " + least + ", twice " + QuerySettings.SETTLE.key());
    }
  }

  private static boolean isTooLong(Duration keep) {
    return keep.compareTo(CassandraOptions.RETENTION_MAX) > 0
        && keep.compareTo(CassandraOptions.KEEP) < 0;
  }
}
