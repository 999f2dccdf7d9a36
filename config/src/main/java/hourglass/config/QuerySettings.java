package hourglass.config;

import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.query.tail.TailOptions;
import java.time.Duration;
import java.util.List;

final class QuerySettings {
  static final QueryOptions DEFAULT = QueryOptions.builder().build();

  private static final Setting<Integer> CONCURRENT =
      new Setting<>(
          "query.concurrent",
          Kinds.count(1, 10_000, ""),
          DEFAULT.concurrentQueries(),
          "Queries at work at a time, a quarter of them small ones alone. More wait for up to 5 s, then"
              + " they are refused with 429. Four times as many answers may wait for their clients.");
  private static final Setting<Integer> FAN_OUT =
      new Setting<>(
          "query.fan-out",
          Kinds.count(1, 1024, ""),
          DEFAULT.fanOut(),
          "Rows that one query reads side by side; up to eight times as many where each brings"
              + " little.");
  private static final Setting<Long> BUFFER_BYTES =
      new Setting<>(
          "query.buffer-bytes",
          Kinds.bytes(1 << 10, 1 << 30),
          (long) DEFAULT.bufferBytes(),
          "Payloads that one query holds in memory.");
  private static final Setting<Long> MAX_ANSWER_BYTES =
      new Setting<>(
          "query.max-answer-bytes",
          Kinds.bytes(1 << 20, 1L << 40),
          DEFAULT.answerBytes(),
          "Memory that all answers under way hold together: directories, slices, counts and what is on"
              + " its way to clients. What needs more is refused with 429; the last quarter is for"
              + " answers that hold less than 3 MiB. The heap must have room for it.");
  private static final Setting<Integer> DEFAULT_LIMIT =
      new Setting<>(
          "query.default-limit",
          Kinds.count(1, 1_000_000, ""),
          DEFAULT.limit(),
          "Events of a page that names no limit.");
  private static final Setting<Duration> STORE_TIMEOUT =
      new Setting<>(
          "query.store-timeout",
          Kinds.duration(Duration.ofMillis(1), Duration.ofHours(1)),
          Duration.ofMillis(DEFAULT.storeTimeoutMillis()),
          "How long one call of the store may take.");
  private static final Setting<Duration> STALL_TIMEOUT =
      new Setting<>(
          "query.stall-timeout",
          Kinds.duration(Duration.ofMillis(1), Duration.ofDays(1)),
          Duration.ofMillis(DEFAULT.stallTimeoutMillis()),
          "How long a client may leave an answer unread until it is cut off. `http.idle-timeout` "
              + "may be shorter.");
  private static final Setting<Integer> MAX_ROWS =
      new Setting<>(
          "query.max-rows",
          Kinds.count(1, 1_000_000_000, ""),
          Math.toIntExact(DEFAULT.bounds().rowsMax()),
          "Rows that one query of events may read; `/api/v1/plan` shows its number. One with "
              + "`limit=all` is refused before it begins, with the part that fits. One with a limit "
              + "fails when it would read more. Counting has no such bound.");
  private static final Setting<Long> MAX_BYTES =
      new Setting<>(
          "query.max-bytes",
          Kinds.bytes(1, 1L << 50),
          DEFAULT.bounds().bytesMax(),
          "The same in bytes of payloads.");
  private static final Setting<Duration> TIMEOUT =
      new Setting<>(
          "query.timeout",
          Kinds.duration(Duration.ofMillis(1), Duration.ofDays(7)),
          Duration.ofMillis(DEFAULT.bounds().timeoutMillis()),
          "How long one query of any kind may run: then it fails, and a body that was begun breaks."
              + " The time that it waits for its client does not count.");
  private static final Setting<Integer> CONCURRENT_TAILS =
      new Setting<>(
          "query.concurrent-tails",
          Kinds.count(1, 10_000, ""),
          TailOptions.DEFAULTS.concurrentMax(),
          "Live tails at a time. A client with fewer gets the place of one of the client that has most;"
              + " more are refused with 429.");

  /** Used by the store too, which records late arrivals. */
  static final Setting<Duration> SETTLE =
      new Setting<>(
          "query.settle",
          Kinds.duration(Duration.ofMillis(10), Duration.ofHours(1)),
          EmbeddedSettings.DEFAULT.settle(),
          "How far live tails stay behind the clock. Each writer records events that arrive "
              + "later than that, so it must be equal in all processes. Cassandra takes at most 20 s.");

  static final List<Setting<?>> ALL =
      List.of(
          CONCURRENT,
          FAN_OUT,
          BUFFER_BYTES,
          MAX_ANSWER_BYTES,
          DEFAULT_LIMIT,
          MAX_ROWS,
          MAX_BYTES,
          TIMEOUT,
          STORE_TIMEOUT,
          STALL_TIMEOUT,
          CONCURRENT_TAILS,
          SETTLE);

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
}
