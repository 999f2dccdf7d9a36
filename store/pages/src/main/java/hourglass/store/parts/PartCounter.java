package hourglass.store.parts;

import hourglass.bucketing.Ticks;
import hourglass.store.ColumnCounter;
import hourglass.store.CountQuery;
import hourglass.store.NameRanges;
import hourglass.store.RowCounts;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Counts a range of a row exactly. Names of overlapping parts are merged, unless their ranges show
 * that they have none in common. Parts apart from others are counted by their minutes. For a single
 * use.
 */
public final class PartCounter {
  private final CountQuery query;
  private final ColumnCounter counter;

  public PartCounter(CountQuery query) {
    this.query = query;
    this.counter = new ColumnCounter(query);
  }

  /** Takes all parts that overlap the range. */
  public RowCounts count(List<? extends Part> parts) {
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(Part.BY_FIRST);
    List<Part> sharing = new ArrayList<>();
    for (List<Part> cluster : Part.clusters(sorted)) {
      BitSet mayShare = NameRanges.sharing(cluster.stream().map(Part::names).toList());
      for (int i = 0; i < cluster.size(); i++) {
        if (mayShare.get(i)) {
          sharing.add(cluster.get(i));
        } else {
          addApart(cluster.get(i));
        }
      }
    }
    for (List<Part> cluster : Part.clusters(sharing)) {
      if (cluster.size() == 1) {
        addApart(cluster.get(0));
      } else {
        counter.add(Part.names(cluster, query.range()));
      }
    }
    return counter.counts();
  }

  private void addApart(Part part) {
    MinuteCounts minutes =
        query.hasWholeMinutes() && part.isWithin(query.range()) ? part.minutes() : null;
    if (minutes != null) {
      long startTicks = query.row().hour().startTicks() + minutes.from() * Ticks.PER_MINUTE;
      counter.add(startTicks, minutes.counts(), part.count(), part.payloadBytes());
    } else {
      counter.add(part.load(Projection.NAMES).within(query.range()));
    }
  }
}
