package hourglass.store.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes one slice of the sections of a row. It merges the parts of a section where they overlap,
 * and accepts sections until the slice is full. The engine supplies the sections, so it decides
 * what it reads, when, and on which thread. Used by one thread at a time, for one slice.
 */
public final class SliceReader {
  /** The size in bytes at which a slice accepts no more sections; it loads few parts beyond. */
  public static final int BYTES_MAX = 2 << 20;

  /**
   * The part of the query's limit, as a divisor, below which the rest of a section is too small for
   * a slice of its own.
   */
  private static final int LITTLE = 4;

  private final SliceQuery query;
  private final Limits limits;
  private final PartLoader loader;

  /** The columns of each section that contains any. */
  private final List<Columns> found = new ArrayList<>();

  private int columns;
  private long bytes;
  private int sections;

  private @Nullable Section last;

  /** Whether the last section was not read to its end. */
  private boolean isCut;

  /** Whether the columns are exactly those of one section with a single part or names alone. */
  private boolean isWhole;

  /**
   * The limits of a slice. Once it contains columns and reaches a limit, it accepts no more
   * sections.
   */
  public record Limits(int columns, long bytes, int sections) {
    public static final Limits BYTES = new Limits(Integer.MAX_VALUE, BYTES_MAX, Integer.MAX_VALUE);
  }

  public SliceReader(SliceQuery query, Limits limits, PartLoader loader) {
    this.query = query;
    this.limits = limits;
    this.loader = loader;
  }

  /**
   * Reads the next section, in the order of the query.
   *
   * @return whether the slice needs no more sections
   */
  public boolean take(Section section) {
    forgetLast();
    last = section;
    sections++;
    boolean namesOnly = query.projection() == Projection.NAMES;
    Columns added =
        namesOnly ? Part.names(section.parts(), section.range()).namesOnly() : load(section);
    if (!added.isEmpty()) {
      found.add(added);
      isWhole = found.size() == 1 && (namesOnly || section.parts().size() == 1);
      columns += added.size();
      bytes += added.payloadBytes();
    }
    return section.isLast()
        || columns > 0
            && (!section.continues()
                || columns >= Math.min(query.columnsMax(), limits.columns)
                || bytes >= limits.bytes
                || sections >= limits.sections);
  }

  /** Returns the slice, once it needs no more sections. */
  public Slice slice() {
    return slice(null);
  }

  /** Returns the slice like {@link #slice()}, with a hint for the next one; null for none. */
  public Slice slice(@Nullable TimeUuid resumeAt) {
    Columns all = all();
    Columns taken = all.nearest(size(all), query.order());
    boolean isRead = hasAll();
    if (isRead) {
      forgetLast();
    }
    boolean more = !isRead || !Objects.requireNonNull(last).isLast();
    return new Slice(taken.compact(), more, more ? resumeAt : null);
  }

  private Columns all() {
    if (found.size() > 1) {
      Columns merged = Columns.merge(found);
      found.clear();
      found.add(merged);
    }
    return found.isEmpty() ? Columns.EMPTY : found.get(0);
  }

  /**
   * The number of columns in the slice. A part that is a little larger than a slice is cut in half.
   */
  private int size(Columns all) {
    int max = query.columnsMax();
    int left = all.size() - max;
    return isWhole && left > 0 && left < max / LITTLE ? (all.size() + 1) / 2 : max;
  }

  /** Whether the slice contains all columns of its sections. */
  public boolean hasAll() {
    Columns all = all();
    return !isCut && size(all) >= all.size();
  }

  /** The number of columns until now, perhaps more than the slice will contain. */
  public int columns() {
    return columns;
  }

  public long bytes() {
    return bytes;
  }

  /** Drops the parts that end in the last section, as they are not needed any more. */
  private void forgetLast() {
    Section read = last;
    if (read == null) {
      return;
    }
    SliceQuery.Filter filter = query.filter();
    for (Part part : read.parts()) {
      if (read.range().contains(isAscending() ? part.last() : part.first())) {
        loader.forget(part, null);
        if (filter != null) {
          loader.forget(part, filter.fields());
        }
      }
    }
  }

  /**
   * Loads the columns of a section. If it contains several parts, at most one column beyond the
   * limit of the query is loaded, and few parts beyond the limit of the slice.
   */
  private Columns load(Section section) {
    return section.parts().size() == 1
        ? load(section.parts().get(0), false, section)
        : merge(section);
  }

  private Columns merge(Section section) {
    List<Part> parts = new ArrayList<>(section.parts());
    parts.sort(isAscending() ? Part.BY_FIRST : Part.BY_LAST.reversed());
    // Another part with a name in common may contain the payload that stays under it.
    BitSet sharing =
        query.filter() == null
            ? new BitSet()
            : NameRanges.sharing(parts.stream().map(Part::names).toList());
    boolean noneShared = canMatchNone(parts, sharing, section);
    int limit = (int) Math.min(Integer.MAX_VALUE, query.columnsMax() - columns + 1L);
    Columns nearest = Columns.EMPTY;
    List<Columns> added = new ArrayList<>();
    int addedSize = 0;
    long addedBytes = 0;
    long ahead = parts.stream().mapToLong(Part::payloadBytes).sum();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      ahead -= part.payloadBytes();
      if (nearest.size() == limit && nearerThan(part, nearest).size() == limit) {
        break; // no column of this part or of a later one is among the nearest
      }
      if (sharing.get(i) && noneShared) {
        continue;
      }
      Columns within = load(part, sharing.get(i), section);
      if (!within.isEmpty()) {
        added.add(within);
        addedSize += within.size();
        addedBytes += within.payloadBytes();
      }
      // Each merge handles twice the bytes of the one before, so that a byte is seldom copied.
      if (addedSize >= limit || addedBytes >= Math.max(BYTES_MAX, nearest.payloadBytes())) {
        nearest = nearest(added, nearest, limit);
        added.clear();
        addedSize = 0;
        addedBytes = 0;
        Columns complete = ahead > 0 ? nearerThan(parts.get(i + 1), nearest) : nearest;
        // The next slice reads the rest of this section again, so this one reads on only a little.
        if (ahead > BYTES_MAX && complete.payloadBytes() >= BYTES_MAX) {
          isCut = true;
          return complete;
        }
      }
    }
    return nearest(added, nearest, limit);
  }

  private Columns nearest(List<Columns> added, Columns before, int limit) {
    if (added.isEmpty()) {
      return before;
    }
    List<Columns> all = new ArrayList<>(added.size() + 1);
    added.forEach(each -> all.add(each.nearest(limit, query.order())));
    if (!before.isEmpty()) {
      all.add(before);
    }
    return Columns.merge(all).nearest(limit, query.order());
  }

  private Columns load(Part part, boolean mayShare, Section section) {
    boolean alone = section.parts().size() == 1;
    FieldFilter filter = mayShare ? null : filterOf(part, section);
    int left = query.columnsMax() - columns;
    boolean isPiece =
        !alone || (filter != null ? !part.isWithin(section.range()) : part.count() > left);
    Columns loaded = loader.load(part, filter, isPiece);
    if (!isPiece && loaded.size() > left) {
      loader.keep(part, filter, loaded);
    }
    return loaded.within(section.range());
  }

  /**
   * The filter for a part; null if there is none, or if columns of the part and section may be
   * outside the range of the filter.
   */
  private @Nullable FieldFilter filterOf(Part part, Section section) {
    SliceQuery.Filter filter = query.filter();
    return filter != null
            && (part.isWithin(filter.range()) || filter.range().covers(section.range()))
        ? filter.fields()
        : null;
  }

  /** Whether no column of the parts that share names can match. */
  private boolean canMatchNone(List<Part> parts, BitSet sharing, Section section) {
    SliceQuery.Filter filter = query.filter();
    return filter != null
        && !sharing.isEmpty()
        && filter.range().covers(section.range())
        && !PartFieldReader.mayMatch(
            sharing.stream().mapToObj(parts::get).toList(), filter.fields());
  }

  /** Returns the columns that precede all columns of a part, in the order of the query. */
  private Columns nearerThan(Part part, Columns nearest) {
    return isAscending()
        ? nearest.subColumns(0, nearest.lowerBound(part.first()))
        : nearest.subColumns(nearest.lowerBound(part.last().successor()), nearest.size());
  }

  private boolean isAscending() {
    return query.order() == Order.ASCENDING;
  }
}
