package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.late.DuplicateLookup.Duplicates;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.RowContent;
import hourglass.store.embedded.memory.RowPart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the late arrivals of a group of writes: columns before a tick that are in no row of their
 * type hour yet. Names are compared only with parts that may contain one of them. So an import into
 * an empty range, or of numbered events, costs nothing per column. Only the log's thread uses it.
 */
public final class LateArrivalDetector {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalDetector.class);

  private final Hours hours;

  /**
   * The late columns of the group until now, as runs of a row; none is visible before the whole
   * group.
   */
  private final Map<TypeHour, RowContent> inGroup = new HashMap<>();

  private int mutations;
  private long beforeTicks;

  public LateArrivalDetector(Hours hours) {
    this.hours = hours;
  }

  public void begin(long lateBeforeTicks) {
    inGroup.clear();
    mutations = 0;
    beforeTicks = lateBeforeTicks;
  }

  /** Adds a write, and returns its late columns in order, without duplicates. */
  public List<LateColumns> add(List<Mutation> write, Duplicates duplicates) {
    List<LateColumns> found = new ArrayList<>();
    for (int i = 0; i < write.size(); i++) {
      Mutation mutation = write.get(i);
      int number = mutations++;
      Columns late = mutation.columns().before(beforeTicks);
      if (!late.isEmpty()) {
        BitSet present = duplicates.of(i);
        int lookedUp =
            Math.min(late.size(), mutation.columns().countBefore(duplicates.beforeTicks()));
        markNew(mutation.row(), late.subColumns(0, lookedUp), 0, duplicates.group(), present);
        markNew(mutation.row(), late.subColumns(lookedUp, late.size()), lookedUp, -1, present);
        markInGroup(mutation.row(), late, present);
        addNew(number, mutation, late.size(), present, found);
      }
    }
    return found;
  }

  /**
   * Marks the columns that parts of later groups contain: few runs, unless nothing was looked up.
   */
  private void markNew(RowKey row, Columns late, int from, long sinceGroup, BitSet present) {
    if (late.isEmpty()) {
      return;
    }
    BitSet found = new BitSet();
    hours.with(
        row.hour(),
        state -> {
          List<RowPart> parts =
              DuplicateLookup.candidates(state.rows(row.type()), late, sinceGroup);
          parts.forEach(part -> mark(late, part, found));
          return state;
        });
    found.stream().forEach(at -> present.set(from + at));
  }

  /**
   * Marks the columns that a part contains. If it cannot be read, they count as absent: a tail that
   * delivers an event twice is better than one that never does.
   */
  private static void mark(Columns late, RowPart part, BitSet found) {
    try {
      DuplicateLookup.mark(late, part.load(Projection.NAMES), found);
    } catch (CorruptException | UnavailableException e) {
      logger.warn("late columns are recorded without a lookup of duplicates: {}", e.toString());
    }
  }

  private void markInGroup(RowKey row, Columns late, BitSet present) {
    RowContent before = inGroup.getOrDefault(row.typeHour(), RowContent.EMPTY);
    ColumnRange range = DuplicateLookup.range(late);
    for (OpenRun run : before.open()) {
      if (run.overlaps(range)) {
        DuplicateLookup.mark(late, run.columns(), present);
      }
    }
    inGroup.put(row.typeHour(), before.withRun(new OpenRun(late.namesOnly(), 0, 0)));
  }

  private static void addNew(
      int number, Mutation mutation, int late, BitSet present, List<LateColumns> found) {
    LateColumns columns = new LateColumns(number, mutation);
    for (int from = present.nextClearBit(0); from < late; ) {
      int end = present.nextSetBit(from);
      int to = Math.min(Math.min(end < 0 ? late : end, late), from + columns.capacity());
      columns.add(from, to);
      if (columns.capacity() == 0) {
        found.add(columns);
        columns = new LateColumns(number, mutation);
      }
      from = present.nextClearBit(to);
    }
    if (columns.runs() > 0) {
      found.add(columns);
    }
  }
}
