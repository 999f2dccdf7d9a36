package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartLoader;
import hourglass.store.rows.Section;
import hourglass.store.rows.SliceReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads sections until they make a slice. It shows a mutation whole or not at all, so its columns
 * are from one page of results. There are two exceptions, in which a slice shows what a later page
 * has of a mutation, but not what an earlier one would have had: a filter that leaves nothing of
 * the first page, and a minute with more packs than a page may have. Used by one thread at a time.
 */
final class SliceRead {
  private final SliceQuery query;
  private final Sections sections;
  private final SliceReader reader;

  /** The range of names of each page that may be needed again, from its first name to its last. */
  private final List<ColumnRange> spans = new ArrayList<>();

  private SliceRead(SliceQuery query, Sections sections) {
    this.query = query;
    this.sections = sections;
    this.reader = new SliceReader(query, SliceReader.Limits.BYTES, PartLoader.UNCACHED);
  }

  /**
   * Reads a short slice again as a whole, from a larger page of results. Not with a filter, which
   * may leave few columns of any page.
   *
   * @param sections of the query, by how many packs a page of results has
   * @param packs about how many are needed
   * @param packsMax limit of a page of results
   */
  static CompletionStage<Slice> read(
      SliceQuery query, IntFunction<Sections> sections, int packs, int packsMax) {
    return new SliceRead(query, sections.apply(packs))
        .next(
            query.filter() == null && packs < packsMax
                ? () -> read(query, sections, packs * PackCursor.PAGE_GROWTH, packsMax)
                : null);
  }

  /** A second attempt with a larger page of results, which needs fewer requests. */
  private interface Repeat {
    CompletionStage<Slice> read();
  }

  private CompletionStage<Slice> next(@Nullable Repeat larger) {
    return sections
        .next()
        .thenCompose(
            section -> {
              boolean isDone = take(section);
              if (!isDone) {
                return next(larger);
              }
              return larger != null && isShort(section)
                  ? larger.read()
                  : CompletableFuture.completedFuture(slice(section));
            });
  }

  private boolean take(Section section) {
    for (Part part : section.parts()) {
      if (part instanceof PagePart page && page.isPack()) { // a single column is its own span
        spans.add(new ColumnRange(part.first(), part.last()));
      }
    }
    return reader.take(section);
  }

  /** Whether a larger page of results may at least double the slice. */
  private boolean isShort(Section last) {
    return !last.isLast()
        && reader.columns() <= query.columnsMax() / 2
        && reader.bytes() < SliceReader.BYTES_MAX / 2;
  }

  private Slice slice(Section last) {
    Slice slice = reader.slice();
    return slice.more() && query.order() == Order.ASCENDING
        ? new Slice(
            slice.columns(), true, resumeAt(slice.columns().last().successor(), last.range().to()))
        : slice;
  }

  /**
   * Returns the first name of the pages that contain names from {@code next} on.
   *
   * @param read packs from here on may not have been read
   */
  private TimeUuid resumeAt(TimeUuid next, TimeUuid read) {
    TimeUuid least = next.compareTo(read) < 0 ? next : read;
    for (ColumnRange span : spans) {
      if (span.to().compareTo(next) >= 0 && span.from().compareTo(least) < 0) {
        least = span.from();
      }
    }
    return least;
  }
}
