package hourglass.config;

import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The engine that was chosen, with its options. */
public sealed interface StoreOptions {

  /** How long a type is kept; null: for ever. */
  @Nullable Duration retention(String type);

  /** One machine, one folder. */
  record Embedded(EmbeddedOptions options) implements StoreOptions {
    @Override
    public @Nullable Duration retention(String type) {
      return options.retention(type);
    }
  }

  /** A cluster. */
  record Cassandra(CassandraOptions options) implements StoreOptions {
    @Override
    public @Nullable Duration retention(String type) {
      return options.retention(type);
    }
  }
}
