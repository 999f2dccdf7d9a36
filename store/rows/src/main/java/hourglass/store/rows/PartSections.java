package hourglass.store.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import java.util.List;

/**
 * Divides a range into sections, when all parts of the row are known. A section ends where the
 * first of its parts ends, so only parts that overlap there are open together. Most parts do not
 * overlap, and then a section is one part. Not thread-safe.
 *
 * <pre>
 *   parts      |-- a --|   |---- b ----|
 *                                |------ c ------|
 *   sections   |   a   |   b, c        |    c    |    ascending
 *              |   a   |  b    |     b, c        |    descending
 * </pre>
 */
public final class PartSections {
  private final RowParts<?> parts;
  private final Order order;

  /** The range without the sections that were returned. */
  private ColumnRange rest;

  public PartSections(RowParts<?> parts, ColumnRange range, Order order) {
    this.parts = parts;
    this.order = order;
    this.rest = range;
  }

  /** Returns the next section. Must not be called after the last one. */
  public Section next() {
    boolean ascending = order == Order.ASCENDING;
    ColumnRange range = ascending ? first() : last();
    rest =
        ascending
            ? new ColumnRange(range.to(), rest.to())
            : new ColumnRange(rest.from(), range.from());
    return new Section(range, parts.in(range), !parts.hasAnyIn(rest), true);
  }

  /** The range of the next ascending section; the whole rest if no part is in it. */
  private ColumnRange first() {
    TimeUuid end = null;
    for (Part part : parts.open()) {
      if (part.overlaps(rest) && (end == null || part.last().compareTo(end) < 0)) {
        end = part.last();
      }
    }
    for (Part part : parts.stored().around(rest)) {
      if (end != null && part.first().compareTo(end) > 0) {
        break;
      }
      if (part.overlaps(rest) && (end == null || part.last().compareTo(end) < 0)) {
        end = part.last();
      }
    }
    return end == null || end.compareTo(rest.to()) >= 0
        ? rest
        : new ColumnRange(rest.from(), end.successor());
  }

  private ColumnRange last() {
    TimeUuid begin = null;
    for (Part part : parts.open()) {
      if (part.overlaps(rest) && (begin == null || part.first().compareTo(begin) > 0)) {
        begin = part.first();
      }
    }
    List<? extends Part> stored = parts.stored().around(rest);
    for (int i = stored.size() - 1; i >= 0; i--) {
      Part part = stored.get(i);
      if (part.overlaps(rest)) {
        begin = begin == null || part.first().compareTo(begin) > 0 ? part.first() : begin;
        break;
      }
    }
    return begin == null || begin.compareTo(rest.from()) <= 0
        ? rest
        : new ColumnRange(begin, rest.to());
  }
}
