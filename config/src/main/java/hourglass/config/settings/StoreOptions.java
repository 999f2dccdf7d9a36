package hourglass.config.settings;

import hourglass.store.DiskBudget;
import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.embedded.EmbeddedOptions;

/** The engine that is configured, with its options. */
public sealed interface StoreOptions {

  Retention retention();

  /**
   * Returns the budget of the disk; {@link DiskBudget#NONE} if the disks are not of this process.
   */
  default DiskBudget budget() {
    return DiskBudget.NONE;
  }

  /** The embedded engine, which stores events in one folder of one machine. */
  record Embedded(EmbeddedOptions options) implements StoreOptions {
    @Override
    public Retention retention() {
      return options.retention();
    }

    @Override
    public DiskBudget budget() {
      return options.budget();
    }
  }

  /** The Cassandra engine, which stores events in a cluster. */
  record Cassandra(CassandraOptions options) implements StoreOptions {
    @Override
    public Retention retention() {
      return options.retention();
    }
  }
}
