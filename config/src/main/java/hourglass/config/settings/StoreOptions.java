package hourglass.config.settings;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;

/** The engine that was chosen, with its options. */
public sealed interface StoreOptions {

  Retention retention();

  /** One machine, one folder. */
  record Embedded(EmbeddedOptions options) implements StoreOptions {
    @Override
    public Retention retention() {
      return options.retention();
    }
  }

  /** A cluster. */
  record Cassandra(CassandraOptions options) implements StoreOptions {
    @Override
    public Retention retention() {
      return options.retention();
    }
  }
}
