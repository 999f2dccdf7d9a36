package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.parts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A range of a row, read piece by piece. For one thread at a time. */
interface Sections {
  /**
   * A piece of the range.
   *
   * @param parts all that overlap it
   */
  record Section(ColumnRange range, List<Part> parts, boolean isLast) {
    /** With those of other parts that overlap it. */
    Section with(List<? extends Part> others) {
      List<Part> all = new ArrayList<>(parts);
      others.stream().filter(part -> part.overlaps(range)).forEach(all::add);
      return new Section(range, all, isLast);
    }
  }

  /** The sections follow each other in the order of the query; call no more after the last one. */
  CompletionStage<Section> next();

  /**
   * Whether the next section shows the same writes as the last one: it is of the same page of
   * results, or of pages that no write changes.
   */
  default boolean continuesRead() {
    return false;
  }
}
