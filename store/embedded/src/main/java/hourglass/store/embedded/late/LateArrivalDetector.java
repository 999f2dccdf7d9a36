package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.Mutation;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.OpenRun;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContent;
import hourglass.store.embedded.rows.RowContentReader;
import hourglass.store.embedded.rows.RowPart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the late arrivals of a group of writes: columns before a tick that no row of their type
 * hour has yet. Names are compared only where parts of rows overlap them, so an import into an
 * empty range has no cost per column. Used by the log's thread only.
 */
public final class LateArrivalDetector {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalDetector.class);

  private final Hours hours;

  /**
   * Late columns of the group, as runs of a row, since they are not visible before the whole group.
   */
  private final Map<TypeHour, RowContent> inGroup = new HashMap<>();

  private int mutations;
  private long beforeTicks;

  public LateArrivalDetector(Hours hours) {
    this.hours = hours;
  }

  /** Begins a new group. */
  public void begin(long lateBeforeTicks) {
    inGroup.clear();
    mutations = 0;
    beforeTicks = lateBeforeTicks;
  }

  /** Records the late columns of the group's next write, in order. */
  public List<LateColumns> add(List<Mutation> write, DuplicateNames known) {
    List<LateColumns> notes = new ArrayList<>();
    for (int i = 0; i < write.size(); i++) {
      Mutation mutation = write.get(i);
      int number = mutations++;
      Columns late = mutation.columns().before(beforeTicks);
      if (!late.isEmpty()) {
        BitSet there = known.of(i);
        int asked = Math.min(late.size(), known.asked(mutation));
        markNew(mutation.row(), late.subColumns(0, asked), 0, known.group(), there);
        markNew(mutation.row(), late.subColumns(asked, late.size()), asked, -1, there);
        markInGroup(mutation.row(), late, there);
        addNotes(number, mutation, late.size(), there, notes);
      }
    }
    return notes;
  }

  /** Marks columns that were added after the lookup: few runs, unless there was no lookup. */
  private void markNew(RowKey row, Columns late, int from, long sinceGroup, BitSet there) {
    if (late.isEmpty()) {
      return;
    }
    ColumnRange range = DuplicateLookup.range(late);
    BitSet found = new BitSet();
    hours.with(
        row.hour(),
        state -> {
          for (Row other : state.rows(row.type())) {
            for (RowPart part : RowContentReader.partsIn(other.content(), range)) {
              if (part.group() > sinceGroup) {
                mark(late, part, found);
              }
            }
          }
          return null;
        });
    found.stream().forEach(at -> there.set(from + at));
  }

  /** Treats unreadable columns as absent: a tail gets an event twice rather than never. */
  private static void mark(Columns late, RowPart part, BitSet found) {
    try {
      DuplicateNames.mark(late, part.load(Projection.NAMES), found);
    } catch (CorruptException | UnavailableException e) {
      logger.warn("late columns are noted without a look at what was there: {}", e.toString());
    }
  }

  private void markInGroup(RowKey row, Columns late, BitSet there) {
    TypeHour place = row.typeHour();
    RowContent before = inGroup.getOrDefault(place, RowContent.EMPTY);
    ColumnRange range = DuplicateLookup.range(late);
    for (OpenRun run : before.open()) {
      if (run.overlaps(range)) {
        DuplicateNames.mark(late, run.columns(), there);
      }
    }
    inGroup.put(place, before.withRun(new OpenRun(late.namesOnly(), 0, 0)));
  }

  /** Records all late columns except duplicates, with a limit of names for each record. */
  private static void addNotes(
      int number, Mutation mutation, int late, BitSet there, List<LateColumns> notes) {
    PositionRanges runs = new PositionRanges();
    for (int from = there.nextClearBit(0); from < late; ) {
      int end = there.nextSetBit(from);
      int room = LateArrival.NAMES_MAX - runs.positions();
      int to = Math.min(Math.min(end < 0 ? late : end, late), from + room);
      runs.add(from, to);
      if (runs.positions() == LateArrival.NAMES_MAX) {
        notes.add(new LateColumns(number, mutation, runs));
        runs = new PositionRanges();
      }
      from = there.nextClearBit(to);
    }
    if (runs.positions() > 0) {
      notes.add(new LateColumns(number, mutation, runs));
    }
  }
}
