package hourglass.store.embedded.late;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContentReader;
import hourglass.store.embedded.rows.RowPart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the late columns of a write that are already in a row of their type. */
public final class DuplicateLookup {
  private final Hours hours;
  private final NameBloomFilters filters = new NameBloomFilters();

  public DuplicateLookup(Hours hours) {
    this.hours = hours;
  }

  /** Whether any late column overlaps a part of a row; reads no page. */
  public boolean isNeeded(List<Mutation> mutations, long beforeTicks) {
    for (Mutation mutation : mutations) {
      Columns late = mutation.columns().before(beforeTicks);
      if (!late.isEmpty() && mayOverlap(mutation, late)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayOverlap(Mutation mutation, Columns late) {
    ColumnRange range = range(late);
    return hours.mayHave(
        mutation.row().hour(),
        state ->
            state.rows(mutation.row().type()).stream()
                .anyMatch(row -> RowContentReader.hasPartIn(row.content(), range)));
  }

  static ColumnRange range(Columns columns) {
    return new ColumnRange(columns.first(), columns.last().successor());
  }

  /**
   * Looks up the columns before a tick. Reads pages.
   *
   * @param group the newest group that was visible before the lookup
   * @throws CorruptException if a page is damaged
   * @throws UnavailableException if a page cannot be read
   */
  public DuplicateNames lookUp(List<Mutation> mutations, long beforeTicks, long group) {
    List<BitSet> known = new ArrayList<>();
    for (Mutation mutation : mutations) {
      Columns late = mutation.columns().before(beforeTicks);
      known.add(late.isEmpty() ? new BitSet() : lookUp(mutation, late, group));
    }
    return new DuplicateNames(group, beforeTicks, known);
  }

  private BitSet lookUp(Mutation mutation, Columns late, long group) {
    return hours.with(
        mutation.row().hour(),
        state -> {
          try {
            return lookUp(mutation, late, state.rows(mutation.row().type()), group);
          } catch (CorruptException | UnavailableException e) {
            // Retry once: pages may have been rewritten, and the old ones deleted, meanwhile.
            return lookUp(mutation, late, state.rows(mutation.row().type()), group);
          }
        });
  }

  private BitSet lookUp(Mutation mutation, Columns late, List<Row> rows, long group) {
    List<RowPart> parts = new ArrayList<>();
    rows.forEach(row -> parts.addAll(RowContentReader.partsIn(row.content(), range(late))));
    NameBloomFilter filter = filters.of(mutation.row().hour(), mutation.row().type());
    long names = parts.stream().mapToLong(RowPart::count).sum();
    BitSet possible = filter.pays(names, rows) ? filter.possible(late, rows, group) : null;
    BitSet found = new BitSet();
    for (RowPart part : parts) {
      if (possible == null || hasAny(possible, late, part)) {
        mark(late, possible, part.load(Projection.NAMES), found);
      }
    }
    return found;
  }

  private static boolean hasAny(BitSet possible, Columns late, RowPart part) {
    int at = possible.nextSetBit(late.lowerBound(part.first()));
    return at >= 0 && late.id(at).compareTo(part.last()) <= 0;
  }

  private static void mark(Columns late, @Nullable BitSet possible, Columns there, BitSet found) {
    if (possible == null) {
      DuplicateNames.mark(late, there, found);
      return;
    }
    int at = possible.nextSetBit(late.lowerBound(there.first()));
    while (at >= 0 && late.id(at).compareTo(there.last()) <= 0) {
      if (there.contains(late.ticks(at), late.lsb(at))) {
        found.set(at);
      }
      at = possible.nextSetBit(at + 1);
    }
  }
}
