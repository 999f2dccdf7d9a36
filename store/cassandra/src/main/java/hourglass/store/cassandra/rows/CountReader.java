package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.rows.PartCounter;
import hourglass.store.rows.Section;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Counts a range of a row. It reads heads, and the bodies of sections for which heads do not
 * suffice: at the ends of the range or of steps, and of parts that may have names in common. Used
 * by one thread at a time.
 */
final class CountReader {
  private final CountQuery query;
  private final Function<ColumnRange, Sections> bodies;

  /**
   * Creates a reader. {@code bodies} returns the sections of a range with their bodies; they may
   * end between minutes.
   */
  CountReader(CountQuery query, Function<ColumnRange, Sections> bodies) {
    this.query = query;
    this.bodies = bodies;
  }

  /** Counts sections of the range of the query, whose parts may be heads. */
  CompletionStage<RowCounts> read(Sections sections) {
    return read(sections, RowCounts.NONE);
  }

  private CompletionStage<RowCounts> read(Sections sections, RowCounts before) {
    return sections
        .next()
        .thenCompose(
            section ->
                count(section)
                    .thenApply(before::plus)
                    .thenCompose(
                        counts ->
                            section.isLast()
                                ? CompletableFuture.completedFuture(counts)
                                : read(sections, counts)));
  }

  private CompletionStage<RowCounts> count(Section section) {
    CountQuery part = query.of(query.row(), section.range());
    try {
      return CompletableFuture.completedFuture(new PartCounter(part).count(section.parts()));
    } catch (UnreadException e) {
      return read(bodies.apply(section.range()));
    }
  }
}
