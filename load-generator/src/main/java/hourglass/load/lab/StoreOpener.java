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
   * Opens the store, which the caller closes. It may not answer yet.
   *
   * @param config a file of settings; null for the usual one, if it exists
   * @param assignments settings as {@code key=value}, stronger than the file
   */
  WideColumnStore open(@Nullable Path config, List<String> assignments);

  /**
   * Returns the number of writes, each of any number of columns, that each node has counted since
   * it started, by the names in {@link WideColumnStore#placement}. Empty if the engine has no such
   * counters.
   */
  default CompletionStage<Map<String, Long>> nodeWrites(WideColumnStore store) {
    return CompletableFuture.completedFuture(Map.of());
  }
}
