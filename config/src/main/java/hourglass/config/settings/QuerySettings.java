package hourglass.config.settings;

import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.query.tail.TailOptions;
import hourglass.store.rows.cache.RowCache;
import java.time.Duration;

final class QuerySettings {
  static final SettingGroup ALL = new SettingGroup("query");

  static final QueryOptions DEFAULT = QueryOptions.builder().build();

  private static final Setting<Integer> CONCURRENT =
      ALL.key("concurrent", Kinds.count(1, 10_000), DEFAULT.concurrentQueries())
          .about(
              "Queries at work at a time, a quarter of them small ones alone. More wait for up to 5 s, then"
                  + " they are refused with 429. Four times as many answers may wait for their clients.");
  private static final Setting<Integer> FAN_OUT =
      ALL.key("fan-out", Kinds.count(1, 1024), DEFAULT.fanOut())
          .about(
              "Rows that one query reads side by side; up to eight times as many where each brings"
                  + " little.");
  private static final Setting<Long> BUFFER_BYTES =
      ALL.key("buffer-bytes", Kinds.bytes(1 << 10, 1 << 30), (long) DEFAULT.bufferBytes())
          .about("Payloads that one query holds in memory.");
  private static final Setting<Long> MAX_ANSWER_BYTES =
      ALL.key("max-answer-bytes", Kinds.bytes(1 << 20, 1L << 40), DEFAULT.answerBytes())
          .about(
              "Memory that all answers under way hold together: directories, slices, counts and what is on"
                  + " its way to clients. What needs more is refused with 429; the last quarter is for"
                  + " answers that hold less than 3 MiB. The heap must have room for it.");
  private static final Setting<Integer> DEFAULT_LIMIT =
      ALL.key("default-limit", Kinds.count(1, 1_000_000), DEFAULT.limit())
          .about("Events of a page that names no limit.");
  private static final Setting<Integer> MAX_ROWS =
      ALL.key(
              "max-rows",
              Kinds.count(1, 1_000_000_000),
              Math.toIntExact(DEFAULT.bounds().rowsMax()))
          .about(
              "Rows that one query of events may read; `/api/v1/plan` shows its number. One with "
                  + "`limit=all` is refused before it begins, with the part that fits. One with a limit "
                  + "fails when it would read more. Counting has no such bound.");
  private static final Setting<Long> MAX_BYTES =
      ALL.key("max-bytes", Kinds.bytes(1, 1L << 50), DEFAULT.bounds().bytesMax())
          .about("The same in bytes of payloads.");
  static final Setting<Duration> TIMEOUT =
      ALL.key(
              "timeout",
              Kinds.duration("1 ms", "7 d"),
              Duration.ofMillis(DEFAULT.bounds().timeoutMillis()))
          .about(
              "How long one query of any kind may run: then it fails, and a body that was begun breaks."
                  + " The time that it waits for its client does not count.");
  private static final Setting<Duration> STORE_TIMEOUT =
      ALL.key(
              "store-timeout",
              Kinds.duration("1 ms", "1 h"),
              Duration.ofMillis(DEFAULT.storeTimeoutMillis()))
          .about("How long one call of the store may take.");
  private static final Setting<Duration> STALL_TIMEOUT =
      ALL.key(
              "stall-timeout",
              Kinds.duration("1 ms", "1 d"),
              Duration.ofMillis(DEFAULT.stallTimeoutMillis()))
          .about(
              "How long a client may leave an answer unread until it is cut off. `http.idle-timeout` "
                  + "may be shorter.");
  private static final Setting<Integer> CONCURRENT_TAILS =
      ALL.key("concurrent-tails", Kinds.count(1, 10_000), TailOptions.DEFAULTS.concurrentMax())
          .about(
              "Live tails at a time. A client with fewer gets the place of one of the client that has most;"
                  + " more are refused with 429.");

  /** The settle delay. The store also uses it, to record late arrivals. */
  static final Setting<Duration> SETTLE =
      ALL.key("settle", Kinds.duration("10 ms", "1 h"), EmbeddedSettings.DEFAULT.settle())
          .about(
              "How far live tails stay behind the clock. Each writer records events that arrive "
                  + "later than that, so it must be equal in all processes. Cassandra takes at most 20 s.");

  /** The value that leaves the choice to the engine. */
  private static final long AUTO_BYTES = -1;

  /**
   * The size of the row cache with Cassandra. It holds some ten million events of sealed hours. The
   * operating system provides the memory only as the cache fills.
   */
  private static final long CASSANDRA_CACHE_BYTES = 256L << 20;

  private static final Setting<Long> ROW_CACHE =
      ALL.key("row-cache", Kinds.or("auto", AUTO_BYTES, Kinds.bytes(0, 1L << 40)), AUTO_BYTES)
          .about(
              "Memory outside of the heap for rows of past hours, so that they are read once; 0: none;"
                  + " auto: "
                  + Quantity.showBytes(CASSANDRA_CACHE_BYTES)
                  + " with Cassandra, none with the embedded store, which has its own pages at hand.");

  private QuerySettings() {}

  static TailOptions readTails(SettingsReader reader) {
    return TailOptions.DEFAULTS.withConcurrentMax(reader.get(CONCURRENT_TAILS));
  }

  static QueryOptions read(SettingsReader reader) {
    return QueryOptions.builder()
        .concurrentQueries(reader.get(CONCURRENT))
        .fanOut(reader.get(FAN_OUT))
        .bufferBytes(Math.toIntExact(reader.get(BUFFER_BYTES)))
        .answerBytes(reader.get(MAX_ANSWER_BYTES))
        .limit(reader.get(DEFAULT_LIMIT))
        .bounds(
            new QueryBounds(
                reader.get(MAX_ROWS), reader.get(MAX_BYTES), reader.get(TIMEOUT).toMillis()))
        .storeTimeoutMillis(reader.get(STORE_TIMEOUT).toMillis())
        .stallTimeoutMillis(reader.get(STALL_TIMEOUT).toMillis())
        .layout(new RowLayout(ShardSettings.readPlanner(reader), ShardSettings.read(reader)))
        .build();
  }

  /** Reads the size of the row cache; 0 stands for no cache. */
  static long readRowCacheBytes(SettingsReader reader, StoreOptions store) {
    long bytes = reader.get(ROW_CACHE);
    if (bytes == AUTO_BYTES) {
      return store instanceof StoreOptions.Cassandra ? CASSANDRA_CACHE_BYTES : 0;
    }
    if (bytes != 0 && bytes < RowCache.BYTES_MIN) {
      reader.refuse(ROW_CACHE, "0, or at least " + Quantity.showBytes(RowCache.BYTES_MIN));
    }
    return bytes;
  }
}
