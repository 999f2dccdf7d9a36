package hourglass.load.lab;

import hourglass.store.WideColumnStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens the store of a comparison by settings, and reads the counters of its nodes. */
public interface StoreOpener {
  /**
   * Opens it.
   *
   * @param config a file of settings; null: the usual one, if it is there
   * @param assignments settings as {@code key=value}, stronger than the file
   * @return the store, which the caller closes; it may not answer yet
   */
  WideColumnStore open(@Nullable Path config, List<String> assignments);

  /**
   * Writes that each node counted for this store since it started, by the names of {@link
   * WideColumnStore#placement}. A write has any number of columns. Empty if the engine has no such
   * counters.
   */
  default CompletionStage<Map<String, Long>> nodeWrites(WideColumnStore store) {
    return CompletableFuture.completedFuture(Map.of());
  }
}
