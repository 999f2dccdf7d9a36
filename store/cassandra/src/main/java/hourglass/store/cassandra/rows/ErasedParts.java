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
public record ErasedParts(HiddenColumns own, HiddenColumns all) {

  /** Returns whether these columns contain any that this erasure removes or blanks. */
  boolean areIn(Columns columns) {
    return own.changes(columns);
  }

  /** Returns what new pages contain of the columns of a pack; null if the pack need not go. */
  @Nullable Columns left(Columns columns) {
    return areIn(columns) ? all.apply(columns) : null;
  }
}
