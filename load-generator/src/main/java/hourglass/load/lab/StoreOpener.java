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
   * Opens the store, which the caller closes; it may not answer yet.
   *
   * @param config a file of settings; null: the usual one, if it is there
   * @param assignments settings as {@code key=value}, stronger than the file
   */
  WideColumnStore open(@Nullable Path config, List<String> assignments);

  /**
   * Writes of any number of columns that each node, as named by {@link WideColumnStore#placement},
   * counted since it started. Empty if the engine has no such counters.
   */
  default CompletionStage<Map<String, Long>> nodeWrites(WideColumnStore store) {
    return CompletableFuture.completedFuture(Map.of());
  }
}
