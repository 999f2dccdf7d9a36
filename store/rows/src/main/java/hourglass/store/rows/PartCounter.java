package hourglass.store.rows;

import hourglass.store.ColumnCounter;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.SliceQuery.Projection;
import java.util.List;

/**
 * Counts a range of a row exactly. The names of overlapping parts are merged, unless their ranges
 * show that they have none in common. Other parts are counted without reading them if they are
 * within one step, or if their minutes suffice. Use it once.
 */
public final class PartCounter {
  private final CountQuery query;
  private final ColumnCounter counter;

  public PartCounter(CountQuery query) {
    this.query = query;
    this.counter = new ColumnCounter(query);
  }

  /**
   * Counts the columns of the range in {@code parts}, which must contain all parts that overlap it.
   */
  public RowCounts count(List<? extends Part> parts) {
    Part.separate(
        parts, this::addApart, cluster -> counter.add(Part.names(cluster, query.range())));
    return counter.counts();
  }

  private void addApart(Part part) {
    int step = part.isWithin(query.range()) ? query.step(part.first().ticks()) : -1;
    if (step >= 0 && step == query.step(part.last().ticks())) {
      counter.add(step, part.count(), part.payloadBytes());
      return;
    }
    MinuteCounts minutes = step >= 0 ? part.minutes() : null;
    long hour = query.row().hour().startTicks();
    if (minutes != null && query.hasWholeMinutes()) {
      counter.add(minutes.startTicks(hour), minutes.counts(), part.count(), part.payloadBytes());
    } else if (minutes != null && query.endsWithMinutes()) {
      int[] atStarts = minutes.atStarts(hour, () -> part.load(Projection.NAMES));
      counter.add(
          minutes.startTicks(hour), minutes.counts(), atStarts, part.count(), part.payloadBytes());
    } else {
      counter.add(part.load(Projection.NAMES).within(query.range()));
    }
  }
}
