package hourglass.config;

import hourglass.bucketing.ShardPolicy;
import hourglass.ingest.IngestOptions;
import hourglass.query.QueryOptions;
import hourglass.store.embedded.EmbeddedOptions;
import java.util.Set;

/** The settings of one process, checked. */
record Settings(
    Set<Role> roles,
    HttpOptions http,
    EmbeddedOptions store,
    ShardPolicy shards,
    IngestOptions ingest,
    QueryOptions query) {

  /**
   * Reads the sources.
   *
   * @throws SettingsException naming everything that is wrong with them
   */
  static Settings load(SettingsSources sources) {
    SettingsReader reader = new SettingsReader(sources);
    EmbeddedOptions store =
        reader.group("store.embedded", () -> StoreSettings.read(reader), StoreSettings.DEFAULT);
    return reader.finish(
        new Settings(
            reader.get(Catalogue.ROLES),
            HttpSettings.read(reader),
            store,
            ShardSettings.read(reader),
            reader.group(
                "ingest",
                () -> IngestSettings.read(reader, store::retention),
                IngestSettings.DEFAULT),
            reader.group("query", () -> QuerySettings.read(reader), QuerySettings.DEFAULT)));
  }

  boolean plays(Role role) {
    return roles.contains(role);
  }
}
