package hourglass.config.settings;

import com.typesafe.config.ConfigValue;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.query.tail.TailOptions;
import hourglass.store.rows.cache.RowCache;
import java.time.Duration;
import java.util.function.Function;

/** Reads the settings of queries, and of the layout of rows, which queries give advice about. */
final class QuerySettings {
  /**
   * The size of the row cache with Cassandra. It holds some ten million events of sealed hours. The
   * operating system provides the memory only as the cache fills.
   */
  private static final long CASSANDRA_CACHE_BYTES = 256L << 20;

  private QuerySettings() {}

  static FixedShards readShards(SettingsReader reader) {
    Function<ConfigValue, Integer> shards =
        Kinds.or("adaptive", FixedShards.PLANNED, Kinds.count(1, FixedShards.SHARDS_MAX));
    return new FixedShards(
        reader.get("bucketing.shards", shards),
        reader.get("bucketing.shards-by-type", Kinds.perType(shards)));
  }

  static PlannerOptions readPlanner(SettingsReader reader) {
    return new PlannerOptions(
        reader.get(
            "bucketing.target-columns",
            Kinds.count(
                (int) PlannerOptions.TARGET_COLUMNS_MIN, (int) PlannerOptions.TARGET_COLUMNS_MAX)),
        reader.get(
            "bucketing.target-bytes",
            Kinds.bytes(PlannerOptions.TARGET_BYTES_MIN, PlannerOptions.TARGET_BYTES_MAX)),
        reader.get(
            "bucketing.spread", Kinds.or("auto", 0, Kinds.count(1, PlannerOptions.SPREAD_MAX))));
  }

  static QueryOptions read(SettingsReader reader, PlannerOptions planner, FixedShards shards) {
    return QueryOptions.builder()
        .concurrentQueries(reader.get("query.concurrent", Kinds.count(1, 10_000)))
        .bufferBytes(
            Math.toIntExact(reader.get("query.buffer-bytes", Kinds.bytes(1 << 10, 1 << 30))))
        .answerBytes(reader.get("query.max-answer-bytes", Kinds.bytes(1 << 20, 1L << 40)))
        .bounds(
            new QueryBounds(
                reader.get("query.max-rows", Kinds.count(1, 1_000_000_000)),
                reader.get("query.max-bytes", Kinds.bytes(1, 1L << 50)),
                reader.get("query.timeout", Kinds.duration("1 ms", "7 d")).toMillis()))
        .storeTimeoutMillis(
            reader.get("query.store-timeout", Kinds.duration("1 ms", "1 h")).toMillis())
        .logSlowerThanMillis(reader.get("query.log-slower-than", durationOrOff()).toMillis())
        .layout(new RowLayout(planner, shards))
        .build();
  }

  /** Accepts a duration, or one of two words for none. */
  private static Function<ConfigValue, Duration> durationOrOff() {
    return Kinds.or(
        "off", Duration.ZERO, Kinds.or("0", Duration.ZERO, Kinds.duration("1 ms", "7 d")));
  }

  static TailOptions readTails(SettingsReader reader) {
    return TailOptions.DEFAULTS.withConcurrentMax(
        reader.get("query.concurrent-tails", Kinds.count(1, 10_000)));
  }

  /** Reads the size of the row cache; 0 stands for no cache. */
  static long readRowCacheBytes(SettingsReader reader, StoreOptions store) {
    long bytes = reader.get("query.row-cache", Kinds.bytesOrAuto(0, 1L << 40));
    if (bytes == Kinds.AUTO_BYTES) {
      return store instanceof StoreOptions.Cassandra ? CASSANDRA_CACHE_BYTES : 0;
    }
    if (bytes != 0 && bytes < RowCache.BYTES_MIN) {
      reader.refuse("query.row-cache", "0, or at least %d KiB".formatted(RowCache.BYTES_MIN >> 10));
    }
    return bytes;
  }
}
