package hourglass.store.embedded.backup;

import hourglass.store.embedded.files.LostPage;
import java.util.Collection;

/**
 * The pages that repairs took out of use in a store before a point was made, so that the point
 * lacks them.
 *
 * @param events the number of their columns
 */
public record Losses(long pages, long events) {
  public static final Losses NONE = new Losses(0, 0);

  static Losses of(Collection<LostPage> lost) {
    return new Losses(lost.size(), lost.stream().mapToLong(LostPage::count).sum());
  }

  public boolean isNone() {
    return pages == 0;
  }
}
