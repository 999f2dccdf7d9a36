package hourglass.store.embedded.memory;

import java.io.Closeable;

/**
 * An hour that stays in memory until this is closed, for the thread that changes pages. It does not
 * keep files: that thread deletes them.
 */
public record PinnedHour(LoadedHour state) implements Closeable {
  @Override
  public void close() {
    state.unpin();
  }
}
