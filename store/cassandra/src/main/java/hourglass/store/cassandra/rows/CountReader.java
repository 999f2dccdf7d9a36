package hourglass.store.cassandra.rows;

import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.cassandra.rows.Sections.Section;
import hourglass.store.parts.Part;
import hourglass.store.parts.PartCounter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Counts a range of a row, by heads where they tell. Used by one thread at a time. */
final class CountReader {
  private final CountQuery query;
  private final Supplier<Sections> bodies;

  /** The sections end between minutes. */
  CountReader(CountQuery query, Supplier<Sections> bodies) {
    this.query = query;
    this.bodies = bodies;
  }

  /** Takes all heads that overlap the range. */
  CompletionStage<RowCounts> read(CompletionStage<List<Part>> heads) {
    return heads
        .thenApply(parts -> new PartCounter(query).count(parts))
        .exceptionallyCompose(this::orBodies);
  }

  private CompletionStage<RowCounts> orBodies(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof UnreadException
        ? readBodies(bodies.get(), RowCounts.NONE)
        : CompletableFuture.failedFuture(failure);
  }

  private CompletionStage<RowCounts> readBodies(Sections sections, RowCounts before) {
    return sections
        .next()
        .thenCompose(
            section -> {
              RowCounts counts = before.plus(count(section));
              return section.isLast()
                  ? CompletableFuture.completedFuture(counts)
                  : readBodies(sections, counts);
            });
  }

  private RowCounts count(Section section) {
    return new PartCounter(query.of(query.row(), section.range())).count(section.parts());
  }
}
