package hourglass.config.settings;

import com.typesafe.config.ConfigValue;
import hourglass.store.DiskBudget;
import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the engines, and of retention, which are the same for each engine. */
final class StoreSettings {
  private StoreSettings() {}

  /**
   * Reads the engine's options. The options of the engine that is not used must also be allowed.
   *
   * @param queryTimeout the longest time for which a query may need what a seal has replaced
   */
  static StoreOptions read(SettingsReader reader, Duration queryTimeout) {
    Function<ConfigValue, Duration> kept =
        Kinds.or("keep", Retention.FOREVER, Kinds.duration("1 h", "36525 d"));
    Retention retention =
        new Retention(
            reader.get("retention.default", kept),
            reader.get("retention.types", Kinds.perType(kept)),
            reader.get("retention.arrivals", Kinds.duration("1 min", "30 d")));
    boolean isCassandra = reader.get("store.engine", Kinds.either("cassandra", "embedded"));
    // Each writer also uses the settle delay of queries, to record late arrivals.
    Duration settle = reader.get("query.settle", Kinds.duration("10 ms", "1 h"));
    refuseSettle(reader, settle, retention, isCassandra);
    Duration untimed = reader.get("untimed.window", Kinds.duration("1 min", "30 d"));
    Retention ofCluster =
        isCassandra && fitsCassandra(reader, retention) ? retention : Retention.DEFAULTS;
    DiskBudget budget = readBudget(reader);
    if (isCassandra) {
      refuseBudget(reader, budget);
    }
    EmbeddedOptions embedded =
        reader.group(
            "store.embedded", each -> readEmbedded(each, retention, budget, settle, untimed));
    CassandraOptions cassandra =
        reader.group(
            "store.cassandra",
            each -> readCassandra(each, ofCluster, settle, untimed, queryTimeout));
    return isCassandra
        ? new StoreOptions.Cassandra(cassandra)
        : new StoreOptions.Embedded(embedded);
  }

  private static DiskBudget readBudget(SettingsReader reader) {
    return new DiskBudget(
        reader.get(
            "retention.max-bytes",
            Kinds.or("off", DiskBudget.NO_BYTES_MAX, Kinds.bytes(64L << 20, 1L << 50))),
        reader.get(
            "retention.max-disk-percent",
            Kinds.or("off", DiskBudget.WHOLE_DISK, Kinds.count(5, 99))),
        reader.get("retention.keep-at-least", Kinds.duration("1 h", "36525 d")),
        reader.get("retention.pass-pause", Kinds.duration("1 s", "1 d")));
  }

  private static void refuseBudget(SettingsReader reader, DiskBudget budget) {
    String why =
        "off: the disks are those of Cassandra's nodes, and this process does not see them";
    if (budget.bytesMax() != DiskBudget.NO_BYTES_MAX) {
      reader.refuse("retention.max-bytes", why);
    }
    if (budget.diskPercentMax() != DiskBudget.WHOLE_DISK) {
      reader.refuse("retention.max-disk-percent", why);
    }
  }

  private static EmbeddedOptions readEmbedded(
      SettingsReader reader,
      Retention retention,
      DiskBudget budget,
      Duration settle,
      Duration untimed) {
    long memoryBytes = reader.get("store.embedded.memory-budget", Kinds.bytes(4 << 20, 1L << 40));
    long reserveBytes =
        reader.get(
            "store.embedded.free-space-reserve",
            Kinds.bytesOrAuto(EmbeddedOptions.RESERVE_BYTES_MIN, 1L << 50));
    return EmbeddedOptions.builder(Path.of(reader.get("store.embedded.dir", Kinds.NAME)))
        .memoryBudgetBytes(memoryBytes)
        .segmentBytes(EmbeddedOptions.segmentBytes(memoryBytes))
        .reserveBytes(reserveBytes == Kinds.AUTO_BYTES ? null : reserveBytes)
        .settle(settle)
        .arrivalsBytesMax(
            reader.get("store.embedded.arrivals-bytes", Kinds.bytes(1 << 20, 1L << 40)))
        .untimedWindow(untimed)
        .untimedEventsMax(
            reader.get("untimed.events-max", Kinds.count(1, EmbeddedOptions.UNTIMED_EVENTS_MAX)))
        .erasureRemember(readRemember(reader))
        .backupDirs(reader.get("backup.dirs", Kinds.list(Settings::folder)))
        .missing(reader.get("store.embedded.missing", Kinds.list(path -> path)))
        .retention(retention)
        .budget(budget)
        .build();
  }

  private static CassandraOptions readCassandra(
      SettingsReader reader,
      Retention retention,
      Duration settle,
      Duration untimed,
      Duration queryTimeout) {
    Duration grace = CassandraOptions.DEFAULTS.replaceGrace();
    Duration timeout =
        reader.get("store.cassandra.request-timeout", Kinds.duration("100 ms", "5 min"));
    return CassandraOptions.builder()
        .contactPoints(
            reader.get("store.cassandra.contact-points", Kinds.some(Kinds.list(node -> node))))
        .datacenter(orNull(reader.get("store.cassandra.datacenter", Kinds.NAME), "auto"))
        .keyspace(reader.get("store.cassandra.keyspace", Kinds.NAME))
        .createSchema(reader.get("store.cassandra.create-schema", Kinds.TRUTH))
        .replication(orNull(reader.get("store.cassandra.replication", Kinds.NAME), "auto"))
        .consistency(reader.get("store.cassandra.consistency", Kinds.NAME))
        .username(orNull(reader.get("store.cassandra.username", Kinds.TEXT), ""))
        .password(orNull(reader.get("store.cassandra.password", Kinds.SECRET), ""))
        .tls(reader.get("store.cassandra.tls", Kinds.TRUTH))
        .trustStore(orNull(reader.get("store.cassandra.trust-store", Kinds.TEXT), ""))
        .trustStorePassword(
            orNull(reader.get("store.cassandra.trust-store-password", Kinds.SECRET), ""))
        .requestTimeout(timeout)
        .requestsMax(reader.get("store.cassandra.requests-max", Kinds.count(1, 100_000)))
        .writeBytesMax(
            reader.get("store.cassandra.write-bytes-max", Kinds.bytes(1 << 20, 1L << 40)))
        .replaceGrace(queryTimeout.compareTo(grace) > 0 ? queryTimeout : grace)
        .settle(settle)
        .untimedWindow(untimed)
        .eraseAfter(eraseAfter(timeout))
        .remember(readRemember(reader))
        .retention(retention)
        .build();
  }

  private static Duration readRemember(SettingsReader reader) {
    // The greatest value is the longest TTL that a table of Cassandra gets.
    return reader.get("erasure.remember", Kinds.duration("1 s", "3650 d"));
  }

  /** Returns the default, or a longer time in which each write that was under way has ended. */
  private static Duration eraseAfter(Duration requestTimeout) {
    Duration twice = requestTimeout.multipliedBy(2);
    Duration least = CassandraOptions.DEFAULTS.eraseAfter();
    return twice.compareTo(least) > 0 ? twice : least;
  }

  private static @Nullable String orNull(String text, String none) {
    return text.equals(none) ? null : text;
  }

  /** Returns whether Cassandra accepts a retention, and reports one that it does not. */
  private static boolean fitsCassandra(SettingsReader reader, Retention retention) {
    String most = "keep, or at most " + CassandraOptions.RETENTION_MAX.toDays() + " d";
    String why = ", which is the most that Cassandra accepts";
    boolean fitsByDefault = !isTooLong(retention.byDefault());
    boolean fitsByType = retention.byType().values().stream().noneMatch(StoreSettings::isTooLong);
    if (!fitsByDefault) {
      reader.refuse("retention.default", most + why);
    }
    if (!fitsByType) {
      reader.refuse("retention.types", most + " for each" + why);
    }
    return fitsByDefault && fitsByType;
  }

  private static boolean isTooLong(Duration keep) {
    return keep.compareTo(CassandraOptions.RETENTION_MAX) > 0
        && keep.compareTo(Retention.FOREVER) < 0;
  }

  /**
   * Reports a settle delay that does not fit. Readers of late arrivals go back by the settle delay,
   * so writers must keep the records for that long.
   */
  private static void refuseSettle(
      SettingsReader reader, Duration settle, Retention retention, boolean isCassandra) {
    if (isCassandra && settle.compareTo(CassandraOptions.SETTLE_MAX) > 0) {
      reader.refuse(
          "query.settle",
          "at most %d s, as far as late arrivals are read in Cassandra"
              .formatted(CassandraOptions.SETTLE_MAX.toSeconds()));
    } else if (retention.lateArrivals().compareTo(settle.multipliedBy(2)) < 0) {
      reader.refuse(
          "retention.arrivals",
          "at least %d ms, twice query.settle".formatted(settle.multipliedBy(2).toMillis()));
    }
  }
}
