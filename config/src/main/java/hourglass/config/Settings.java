package hourglass.config;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.ShardPolicy;
import hourglass.store.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of one process, checked. */
record Settings(Set<Role> roles, HttpOptions http, EmbeddedOptions store, ShardPolicy shards) {

  /**
   * Reads the sources.
   *
   * @throws SettingsException naming everything that is wrong with them
   */
  static Settings load(SettingsSources sources) {
    SettingsReader reader = new SettingsReader(sources);
    reader.get(Catalogue.STORE_ENGINE);
    Set<Role> roles = reader.get(Catalogue.ROLES);
    HttpOptions http = http(reader);
    ShardPolicy shards = shards(reader);
    EmbeddedOptions store = reader.group("store.embedded", () -> store(reader));
    return reader.finish(new Settings(roles, http, store, shards));
  }

  private static HttpOptions http(SettingsReader reader) {
    HttpOptions http =
        new HttpOptions(
            reader.get(Catalogue.HTTP_HOST),
            reader.get(Catalogue.HTTP_PORT),
            reader.get(Catalogue.HTTP_ALLOW_OPEN),
            reader.get(Catalogue.HTTP_IDLE_TIMEOUT),
            Math.toIntExact(reader.get(Catalogue.HTTP_MAX_HEADER_BYTES)),
            reader.get(Catalogue.HTTP_MAX_CONNECTIONS));
    http.problem().ifPresent(reader::add);
    return http;
  }

  private static EmbeddedOptions store(SettingsReader reader) {
    long reserveBytes = reader.get(Catalogue.STORE_EMBEDDED_FREE_SPACE_RESERVE);
    return EmbeddedOptions.builder(Path.of(reader.get(Catalogue.STORE_EMBEDDED_DIR)))
        .memoryBudgetBytes(reader.get(Catalogue.STORE_EMBEDDED_MEMORY_BUDGET))
        .segmentBytes(Math.toIntExact(reader.get(Catalogue.STORE_EMBEDDED_LOG_SEGMENT)))
        .flushIdle(reader.get(Catalogue.STORE_EMBEDDED_FLUSH_IDLE))
        .flushAge(reader.get(Catalogue.STORE_EMBEDDED_FLUSH_AGE))
        .sealAfter(reader.get(Catalogue.STORE_EMBEDDED_SEAL_AFTER))
        .reserveBytes(reserveBytes == Catalogue.AUTO_BYTES ? null : reserveBytes)
        .retentionDefault(unlessKeep(reader.get(Catalogue.RETENTION_DEFAULT)))
        .retentionByType(reader.get(Catalogue.RETENTION_TYPES))
        .build();
  }

  private static ShardPolicy shards(SettingsReader reader) {
    return new FixedShards(
        reader.get(Catalogue.BUCKETING_SHARDS), reader.get(Catalogue.BUCKETING_SHARDS_BY_TYPE));
  }

  private static @Nullable Duration unlessKeep(Duration duration) {
    return duration.equals(Catalogue.KEEP) ? null : duration;
  }
}
