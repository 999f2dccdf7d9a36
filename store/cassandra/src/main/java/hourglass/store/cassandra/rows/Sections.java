package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.rows.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A range of a row, read piece by piece. For one thread at a time. */
interface Sections {
  /**
   * A piece of the range.
   *
   * @param parts all that overlap it
   * @param continues whether the next section shows the same writes as this one: it is of the same
   *     page of results, or of pages that no write changes
   */
  record Section(ColumnRange range, List<Part> parts, boolean isLast, boolean continues) {
    /** With those of other parts that overlap it. */
    Section with(List<? extends Part> others) {
      List<Part> all = new ArrayList<>(parts);
      others.stream().filter(part -> part.overlaps(range)).forEach(all::add);
      return new Section(range, all, isLast, continues);
    }

    /** A part of this section, which another one continues unless it {@code isEnd}. */
    Section part(ColumnRange of, boolean isEnd) {
      return new Section(
          of,
          parts.stream().filter(part -> part.overlaps(of)).toList(),
          isEnd && isLast,
          !isEnd || continues);
    }
  }

  /** The sections follow each other in the order of the query; call no more after the last one. */
  CompletionStage<Section> next();
}
