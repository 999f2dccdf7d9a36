package hourglass.config.server;

import hourglass.config.settings.StoreOptions;
import hourglass.store.BudgetDrop;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.CassandraStore;
import hourglass.store.embedded.EmbeddedStore;
import hourglass.store.erasure.ErasableStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.function.Consumer;

/** Opens the engine that the settings select, which does not hide erased events by itself. */
public final class Stores {
  private Stores() {}

  /** Opens the store. Throws {@link StartException} if the engine cannot be opened. */
  public static ErasableStore open(StoreOptions options, Clock clock, MeterRegistry meters) {
    return open(options, clock, meters, drop -> {});
  }

  /**
   * Opens the store like {@link #open(StoreOptions, Clock, MeterRegistry)}.
   *
   * @param drops called for each hour that was dropped for the budget of the disk
   */
  static ErasableStore open(
      StoreOptions options, Clock clock, MeterRegistry meters, Consumer<BudgetDrop> drops) {
    if (options instanceof StoreOptions.Cassandra cassandra) {
      return CassandraStore.open(cassandra.options(), clock, meters);
    }
    try {
      return EmbeddedStore.open(((StoreOptions.Embedded) options).options(), clock, meters, drops);
    } catch (UnavailableException | CorruptException e) {
      throw new StartException("the store cannot be opened: " + e.getMessage(), e);
    }
  }
}
