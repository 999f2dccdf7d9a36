package hourglass.load.lab;

import hourglass.store.WideColumnStore;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the store that settings name, for {@link CompareCommand}. */
@FunctionalInterface
public interface StoreOpener {
  /**
   * Opens it.
   *
   * @param config a file of settings; null: the usual one, if it is there
   * @param assignments settings as {@code key=value}, stronger than the file
   * @return the store, which the caller closes; it may not answer yet
   */
  WideColumnStore open(@Nullable Path config, List<String> assignments);
}
