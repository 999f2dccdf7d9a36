package hourglass.store.cassandra.rows;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.rows.Part;
import hourglass.store.rows.Section;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packs of a range by sections. A section contains all parts that may have columns in it,
 * in whatever order their packs were written. Used by one thread at a time.
 *
 * <p>A pack holds names of one minute, from its own on. So after packs up to a name were read in
 * ascending order, all names before it are known. In descending order, all names of the minutes
 * after it are known.
 *
 * <p>A section is read from a single page of results if some page size has room for it. So a write
 * between two pages may be seen in the later section and not in the earlier one, but it is seldom
 * seen in a part of a section.
 */
final class PackCursor implements Sections {
  /** The factor by which the number of packs in a page of results may grow from page to page. */
  static final int PAGE_GROWTH = 4;

  private final Pages pages;
  private final ColumnRange firsts;
  private final Order order;
  private final int packsMax;
  private final boolean wholeMinutes;
  private int packsNext;

  /** The range without the sections that were read. */
  private ColumnRange open;

  /** The parts that overlap {@link #open}. */
  private List<Part> pending = List.of();

  private @Nullable ByteBuffer rest;

  /** Reads pages of packs whose first names are in a range, in the order of the cursor. */
  interface Pages {
    CompletionStage<PackPage> read(ColumnRange firsts, int packsMax, @Nullable ByteBuffer rest);
  }

  /**
   * Begins at an end of the range, which is not empty.
   *
   * @param resumeAt where the packs begin that an earlier reader left; null if unknown
   * @param wholeMinutes whether sections end between minutes, so that each page is in one section
   * @param packsFirst about how many packs the reader wants; more are read if they are not enough
   * @param packsMax limit of a page of results
   */
  PackCursor(
      Pages pages,
      ColumnRange range,
      Order order,
      @Nullable TimeUuid resumeAt,
      boolean wholeMinutes,
      int packsFirst,
      int packsMax) {
    this.pages = pages;
    this.firsts =
        resumeAt == null || order == Order.DESCENDING
            ? firsts(range)
            : new ColumnRange(resumeAt, range.to());
    this.order = order;
    this.wholeMinutes = wholeMinutes;
    this.packsNext = packsFirst;
    this.packsMax = packsMax;
    this.open = range;
  }

  /** The first names of packs that may overlap a range. */
  private static ColumnRange firsts(ColumnRange range) {
    return new ColumnRange(TimeUuid.first(PackCodec.minuteStart(range.from().ticks())), range.to());
  }

  @Override
  public CompletionStage<Section> next() {
    int packs = Math.min(packsNext, packsMax);
    packsNext = Math.min(packs * PAGE_GROWTH, packsMax);
    return pages.read(firsts, packs, rest).thenCompose(page -> take(page, packs));
  }

  private CompletionStage<Section> take(PackPage page, int packs) {
    List<Part> known = new ArrayList<>(pending);
    page.parts().stream().filter(part -> part.overlaps(open)).forEach(known::add);
    boolean isLast = page.rest() == null;
    ColumnRange section = isLast ? open : complete(page.end());
    List<Part> parts = known.stream().filter(part -> part.overlaps(section)).toList();
    if (!isLast && parts.isEmpty() && page.packs() == packs && packs < packsMax) {
      return next(); // a larger page from the same place
    }
    rest = page.rest();
    if (!isLast && section.isEmpty()) {
      pending = known;
      return next();
    }
    open =
        order == Order.ASCENDING
            ? new ColumnRange(section.to(), open.to())
            : new ColumnRange(open.from(), section.from());
    pending = known.stream().filter(part -> part.overlaps(open)).toList();
    return CompletableFuture.completedFuture(new Section(section, parts, isLast, false));
  }

  /** The beginning of {@link #open} that no pack to come overlaps. */
  private ColumnRange complete(@Nullable TimeUuid end) {
    if (end == null) {
      return new ColumnRange(open.from(), open.from());
    }
    TimeUuid minute = TimeUuid.first(PackCodec.minuteStart(end.ticks()));
    if (order == Order.ASCENDING) {
      return open.intersect(new ColumnRange(open.from(), wholeMinutes ? minute : end));
    }
    TimeUuid next = TimeUuid.first(minute.ticks() + Ticks.PER_MINUTE);
    return open.intersect(new ColumnRange(next, open.to()));
  }
}
