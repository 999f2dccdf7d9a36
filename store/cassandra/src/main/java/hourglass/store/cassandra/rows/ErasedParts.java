package hourglass.store.cassandra.rows;

import hourglass.store.Columns;
import hourglass.store.erasure.HiddenColumns;
import org.jspecify.annotations.Nullable;

/**
 * The erased columns of a row, for the rewrite of one erasure. Immutable.
 *
 * @param own the columns of this erasure: packs and pages that it would change are to go
 * @param all the columns of all erasures under way, which new pages do not contain either
 */
public record ErasedParts(HiddenColumns own, HiddenColumns all) implements PackCleaner.Needs {

  /** Returns whether these columns contain any that this erasure removes or blanks. */
  boolean areIn(Columns columns) {
    return own.changes(columns);
  }

  /** Returns what new pages contain of the columns of a pack; null if the pack need not go. */
  @Override
  public @Nullable Columns of(Columns columns) {
    return areIn(columns) ? all.apply(columns) : null;
  }

  /**
   * Of several payloads of a name the largest is in the pages, and then it is blanked. That of
   * another pack may be the larger one once both are blanked.
   */
  @Override
  public boolean isByName(long ticks, long lsb) {
    return all.parts().stream().anyMatch(part -> part.names().contains(ticks, lsb));
  }
}
