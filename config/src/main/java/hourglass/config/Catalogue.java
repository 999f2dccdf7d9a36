package hourglass.config;

import hourglass.bucketing.EventType;
import hourglass.bucketing.FixedShards;
import hourglass.store.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Every setting there is. Defaults are those of the options they fill; none is stated here. */
final class Catalogue {
  /** As long as there are hours: 2000 to 2099. */
  static final Duration KEEP = Duration.ofDays(36_525);

  /** The engine decides. */
  static final long AUTO_BYTES = -1;

  private static final Kind<Duration> RETENTION =
      Kinds.or("keep", KEEP, Kinds.duration(Duration.ofHours(1), KEEP));

  private static final EmbeddedOptions EMBEDDED = EmbeddedOptions.builder(Path.of("data")).build();

  static final Setting<Set<Role>> ROLES =
      new Setting<>(
          "roles",
          Kinds.someOf(Role.class),
          EnumSet.allOf(Role.class),
          "The parts this process plays.");

  static final Setting<String> HTTP_HOST =
      new Setting<>(
          "http.host",
          Kinds.text("a host name or an address"),
          HttpOptions.DEFAULT.host(),
          "The address to listen on. Beyond loopback only with `http.allow-open`.");
  static final Setting<Integer> HTTP_PORT =
      new Setting<>(
          "http.port",
          Kinds.count(0, 65_535, " (0: any free port)"),
          HttpOptions.DEFAULT.port(),
          "The port to listen on; 0 takes any free one and prints it.");
  static final Setting<Boolean> HTTP_ALLOW_OPEN =
      new Setting<>(
          "http.allow-open",
          Kinds.truth(),
          HttpOptions.DEFAULT.allowOpen(),
          "This version has neither keys nor TLS: who reaches the port reads and writes. Set to"
              + " true where something in front takes care of that.");
  static final Setting<Duration> HTTP_IDLE_TIMEOUT =
      new Setting<>(
          "http.idle-timeout",
          Kinds.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          HttpOptions.DEFAULT.idleTimeout(),
          "A connection without traffic for that long is closed.");
  static final Setting<Long> HTTP_MAX_HEADER_BYTES =
      new Setting<>(
          "http.max-header-bytes",
          Kinds.bytes(1 << 10, 1 << 20),
          (long) HttpOptions.DEFAULT.headerBytesMax(),
          "The request line, and all headers together, may be that long each.");
  static final Setting<Integer> HTTP_MAX_CONNECTIONS =
      new Setting<>(
          "http.max-connections",
          Kinds.count(1, 1_000_000, ""),
          HttpOptions.DEFAULT.connectionsMax(),
          "Connections beyond that are closed at once.");

  static final Setting<Engine> STORE_ENGINE =
      new Setting<>(
          "store.engine",
          Kinds.oneOf(Engine.class, " (this version has no other engine yet)"),
          Engine.EMBEDDED,
          "Where events are kept.");

  static final Setting<String> STORE_EMBEDDED_DIR =
      new Setting<>(
          "store.embedded.dir",
          Kinds.text("a folder"),
          EMBEDDED.dir().toString(),
          "The folder that holds everything; made if it is not there. One process at a time.");
  static final Setting<Long> STORE_EMBEDDED_MEMORY_BUDGET =
      new Setting<>(
          "store.embedded.memory-budget",
          Kinds.bytes(4 << 20, 1L << 40),
          EMBEDDED.memoryBudgetBytes(),
          "Events that are in the log but not in pages yet; beyond it writes are refused with 429"
              + " until pages are written. At least four log segments.");
  static final Setting<Long> STORE_EMBEDDED_LOG_SEGMENT =
      new Setting<>(
          "store.embedded.log-segment",
          Kinds.bytes(1 << 20, 1 << 30),
          (long) EMBEDDED.segmentBytes(),
          "A file of the commit log; when it is full, its events are written into pages.");
  static final Setting<Duration> STORE_EMBEDDED_FLUSH_IDLE =
      new Setting<>(
          "store.embedded.flush-idle",
          Kinds.duration(Duration.ofMillis(10), Duration.ofDays(1)),
          EMBEDDED.flushIdle(),
          "Events are written into pages once none came for that long.");
  static final Setting<Duration> STORE_EMBEDDED_FLUSH_AGE =
      new Setting<>(
          "store.embedded.flush-age",
          Kinds.duration(Duration.ofMillis(10), Duration.ofDays(1)),
          EMBEDDED.flushAge(),
          "Events are written into pages at the latest after that long.");
  static final Setting<Duration> STORE_EMBEDDED_SEAL_AFTER =
      new Setting<>(
          "store.embedded.seal-after",
          Kinds.duration(Duration.ZERO, Duration.ofDays(365)),
          EMBEDDED.sealAfter(),
          "A row is sealed that long after the end of its hour and after its last write.");
  static final Setting<Long> STORE_EMBEDDED_FREE_SPACE_RESERVE =
      new Setting<>(
          "store.embedded.free-space-reserve",
          Kinds.or("auto", AUTO_BYTES, Kinds.bytes(0, 1L << 50)),
          AUTO_BYTES,
          "Free space of the disk that writes must leave, else they are refused with 503; auto: the"
              + " larger of 1 GiB and 5 %.");

  static final Setting<Duration> RETENTION_DEFAULT =
      new Setting<>(
          "retention.default",
          RETENTION,
          KEEP,
          "How long events are kept, counted from their time; whole hours go at once.");
  static final Setting<Map<String, Duration>> RETENTION_TYPES =
      new Setting<>(
          "retention.types",
          Kinds.perType(RETENTION, EventType::check),
          Map.of(),
          "The same for single types.");

  static final Setting<Integer> BUCKETING_SHARDS =
      new Setting<>(
          "bucketing.shards",
          Kinds.count(1, FixedShards.SHARDS_MAX, ""),
          1,
          "Rows that an hour of a type is spread over.");
  static final Setting<Map<String, Integer>> BUCKETING_SHARDS_BY_TYPE =
      new Setting<>(
          "bucketing.shards-by-type",
          Kinds.perType(Kinds.count(1, FixedShards.SHARDS_MAX, ""), EventType::check),
          Map.of(),
          "The same for single types.");

  static final List<Setting<?>> ALL =
      List.of(
          ROLES,
          HTTP_HOST,
          HTTP_PORT,
          HTTP_ALLOW_OPEN,
          HTTP_IDLE_TIMEOUT,
          HTTP_MAX_HEADER_BYTES,
          HTTP_MAX_CONNECTIONS,
          STORE_ENGINE,
          STORE_EMBEDDED_DIR,
          STORE_EMBEDDED_MEMORY_BUDGET,
          STORE_EMBEDDED_LOG_SEGMENT,
          STORE_EMBEDDED_FLUSH_IDLE,
          STORE_EMBEDDED_FLUSH_AGE,
          STORE_EMBEDDED_SEAL_AFTER,
          STORE_EMBEDDED_FREE_SPACE_RESERVE,
          RETENTION_DEFAULT,
          RETENTION_TYPES,
          BUCKETING_SHARDS,
          BUCKETING_SHARDS_BY_TYPE);

  private static final Map<String, Setting<?>> BY_KEY = index(Setting::key);
  private static final Map<String, Setting<?>> BY_ENVIRONMENT_NAME =
      index(Setting::environmentName);

  private Catalogue() {}

  static Map<String, Setting<?>> byKey() {
    return BY_KEY;
  }

  static Map<String, Setting<?>> byEnvironmentName() {
    return BY_ENVIRONMENT_NAME;
  }

  private static Map<String, Setting<?>> index(Function<Setting<?>, String> name) {
    Map<String, Setting<?>> index = new LinkedHashMap<>();
    ALL.forEach(
        setting -> {
          if (index.put(name.apply(setting), setting) != null) {
            throw new IllegalStateException("two settings are called " + name.apply(setting));
          }
        });
    return index;
  }
}
