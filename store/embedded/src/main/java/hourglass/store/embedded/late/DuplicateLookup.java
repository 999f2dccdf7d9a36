package hourglass.store.embedded.late;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowPart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the late columns of a write that are already in a row of their type. Thread-safe. */
public final class DuplicateLookup {
  /**
   * The most memory of all filters together: enough for eight million names with all their bits.
   */
  private static final long FILTER_BYTES_MAX = 32L << 20;

  /** The most type hours that are remembered; the filters of most are never built. */
  private static final int FILTERS_MAX = 4_096;

  private final Hours hours;

  /** The filters by type hour, least recently used first. Guarded by itself. */
  private final Map<TypeHour, NameBloomFilter> filters = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * The late columns of a write that were in their rows before. With them, the log's thread reads
   * few pages. Immutable.
   *
   * @param group the newest visible group at the look-up; parts with columns of later groups may
   *     not have been read
   * @param beforeTicks columns from this tick on were not looked up
   * @param byMutation the positions of the columns for each mutation; null if there are none
   */
  public record Duplicates(long group, long beforeTicks, @Nullable List<BitSet> byMutation) {
    public static final Duplicates NOT_LOOKED_UP = new Duplicates(-1, Long.MIN_VALUE, null);

    /** Returns a copy of the positions for a mutation. */
    BitSet of(int mutation) {
      return byMutation == null ? new BitSet() : (BitSet) byMutation.get(mutation).clone();
    }
  }

  public DuplicateLookup(Hours hours) {
    this.hours = hours;
  }

  /** Whether a look-up may find any late columns. Reads no page. */
  public boolean isNeeded(List<Mutation> mutations, long beforeTicks) {
    for (Mutation mutation : mutations) {
      Columns late = mutation.columns().before(beforeTicks);
      if (!late.isEmpty() && mayHave(mutation, late)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayHave(Mutation mutation, Columns late) {
    return hours.mayHave(
        mutation.row().hour(),
        state -> !candidates(state.rows(mutation.row().type()), late, -1).isEmpty());
  }

  static ColumnRange range(Columns columns) {
    return new ColumnRange(columns.first(), columns.last().successor());
  }

  /**
   * Returns the parts that may contain a name of some columns. If several sources fill one hour,
   * their events overlap in time. But numbered names share no range with other pages, so no page is
   * read for them.
   *
   * @param sinceGroup only parts with columns of later groups are returned
   */
  static List<RowPart> candidates(List<Row> rows, Columns columns, long sinceGroup) {
    ColumnRange range = range(columns);
    List<RowPart> candidates = new ArrayList<>();
    NameRanges names = null;
    for (Row row : rows) {
      for (RowPart part : row.content().rowParts().in(range)) {
        // A run is in memory, where a comparison of its names costs less than finding its ranges.
        NameRanges ofPage = part instanceof PageRef ? part.names() : null;
        if (names == null && ofPage != null) {
          names = NameRanges.of(columns);
        }
        if (part.group() > sinceGroup
            && (names == null || ofPage == null || names.mayShareWith(ofPage))) {
          candidates.add(part);
        }
      }
    }
    return candidates;
  }

  /** Looks up the late columns in pages and runs. The group must be visible. */
  public Duplicates lookUp(List<Mutation> mutations, long beforeTicks, long group) {
    List<BitSet> found = new ArrayList<>();
    for (Mutation mutation : mutations) {
      Columns late = mutation.columns().before(beforeTicks);
      found.add(late.isEmpty() ? new BitSet() : lookUp(mutation, late, group));
    }
    return new Duplicates(group, beforeTicks, found);
  }

  private BitSet lookUp(Mutation mutation, Columns late, long group) {
    TypeHour typeHour = mutation.row().typeHour();
    return hours.with(
        typeHour.hour(),
        state -> {
          try {
            return lookUp(typeHour, late, state.rows(typeHour.type()), group);
          } catch (CorruptException | UnavailableException e) {
            // The look-up is repeated once: pages may have been rewritten and deleted meanwhile.
            return lookUp(typeHour, late, state.rows(typeHour.type()), group);
          }
        });
  }

  private BitSet lookUp(TypeHour typeHour, Columns late, List<Row> rows, long group) {
    List<RowPart> parts = candidates(rows, late, -1);
    if (parts.isEmpty()) {
      return new BitSet();
    }
    NameBloomFilter filter = filter(typeHour);
    long names = parts.stream().mapToLong(RowPart::count).sum();
    BitSet possible = filter.pays(names, rows) ? filter.possible(late, rows, group) : null;
    BitSet found = new BitSet();
    for (RowPart part : parts) {
      if (possible == null) {
        mark(late, part.load(Projection.NAMES), found);
      } else if (nextPossible(possible, late, late.lowerBound(part.first()), part.last()) >= 0) {
        markPossible(late, possible, part.load(Projection.NAMES), found);
      }
    }
    return found;
  }

  private NameBloomFilter filter(TypeHour typeHour) {
    synchronized (filters) {
      long bytes = filters.values().stream().mapToLong(NameBloomFilter::bytes).sum();
      Iterator<NameBloomFilter> oldest = filters.values().iterator();
      while (filters.size() > 1 && (bytes > FILTER_BYTES_MAX || filters.size() >= FILTERS_MAX)) {
        bytes -= oldest.next().bytes();
        oldest.remove();
      }
      return filters.computeIfAbsent(typeHour, key -> new NameBloomFilter(FILTER_BYTES_MAX));
    }
  }

  /** The next possible position up to the name {@code last}; -1 if there is none. */
  private static int nextPossible(BitSet possible, Columns late, int from, TimeUuid last) {
    int at = possible.nextSetBit(from);
    return at >= 0 && late.id(at).compareTo(last) <= 0 ? at : -1;
  }

  private static void markPossible(Columns late, BitSet possible, Columns present, BitSet found) {
    TimeUuid last = present.last();
    int at = nextPossible(possible, late, late.lowerBound(present.first()), last);
    while (at >= 0) {
      if (present.contains(late.ticks(at), late.lsb(at))) {
        found.set(at);
      }
      at = nextPossible(possible, late, at + 1, last);
    }
  }

  /** Marks the late columns that are present, in one pass over the overlap. */
  static void mark(Columns late, Columns present, BitSet found) {
    if (late.isEmpty() || present.isEmpty()) {
      return;
    }
    int at = late.lowerBound(present.first());
    int i = at == late.size() ? present.size() : present.lowerBound(late.id(at));
    while (at < late.size() && i < present.size()) {
      int order = TimeUuid.compare(late.ticks(at), late.lsb(at), present.ticks(i), present.lsb(i));
      if (order == 0) {
        found.set(at);
      }
      at += order <= 0 ? 1 : 0;
      i += order >= 0 ? 1 : 0;
    }
  }
}
