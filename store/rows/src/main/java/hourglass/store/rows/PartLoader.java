package hourglass.store.rows;

import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import org.jspecify.annotations.Nullable;

/** Loads the parts of rows for readers of slices. */
public interface PartLoader {
  /** Loads every part when it is needed, and keeps none. */
  PartLoader UNCACHED = (part, filter, isPiece) -> part.load(filter);

  /**
   * Returns the columns of a part.
   *
   * @param filter leaves columns out; null to load all
   * @param isPiece whether the reader needs only a piece of the part now, and the rest later
   */
  Columns load(Part part, @Nullable FieldFilter filter, boolean isPiece);

  /** Keeps columns that were loaded, since the reader's next slice begins with the rest of them. */
  default void keep(Part part, @Nullable FieldFilter filter, Columns columns) {}

  /** Drops a part that was read to its end. */
  default void forget(Part part, @Nullable FieldFilter filter) {}
}
