package hourglass.config;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.embedded.EmbeddedOptions;
import hourglass.store.embedded.EmbeddedStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;

/** Opens the store that the settings name. */
final class Stores {
  private Stores() {}

  /**
   * @throws StartException if it cannot be opened
   */
  static WideColumnStore open(EmbeddedOptions options, Clock clock, MeterRegistry meters) {
    try {
      return EmbeddedStore.open(options, clock, meters);
    } catch (UnavailableException | CorruptException e) {
      throw new StartException("the store cannot be opened: " + e.getMessage(), e);
    }
  }
}
