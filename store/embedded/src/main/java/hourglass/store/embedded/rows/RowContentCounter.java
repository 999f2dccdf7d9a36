package hourglass.store.embedded.rows;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnCounter;
import hourglass.store.CountQuery;
import hourglass.store.NameRanges;
import hourglass.store.RowCounts;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.pages.MinuteCounts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Counts a range of a row exactly. Names of overlapping parts are merged, unless their ranges show
 * that they have none in common. Pages apart from others are counted from the inventory. For a
 * single use.
 */
public final class RowContentCounter {
  private final RowContent content;
  private final CountQuery query;
  private final ColumnCounter counter;

  public RowContentCounter(RowContent content, CountQuery query) {
    this.content = content;
    this.query = query;
    this.counter = new ColumnCounter(query);
  }

  public RowCounts count() {
    List<RowPart> parts = RowContentReader.partsIn(content, query.range());
    parts.sort(Comparator.comparing(RowPart::first));
    List<RowPart> sharing = new ArrayList<>();
    for (List<RowPart> cluster : clusters(parts)) {
      BitSet mayShare = NameRanges.sharing(cluster.stream().map(RowPart::names).toList());
      for (int i = 0; i < cluster.size(); i++) {
        if (mayShare.get(i)) {
          sharing.add(cluster.get(i));
        } else {
          addApart(cluster.get(i));
        }
      }
    }
    for (List<RowPart> cluster : clusters(sharing)) {
      if (cluster.size() == 1) {
        addApart(cluster.get(0));
      } else {
        counter.add(RowContentReader.names(cluster, query.range()));
      }
    }
    return counter.counts();
  }

  /** Parts that overlap in time, directly or by others; {@code parts} begin in order. */
  static List<List<RowPart>> clusters(List<RowPart> parts) {
    List<List<RowPart>> clusters = new ArrayList<>();
    for (int from = 0; from < parts.size(); ) {
      int to = clusterEnd(parts, from);
      clusters.add(parts.subList(from, to));
      from = to;
    }
    return clusters;
  }

  private static int clusterEnd(List<RowPart> parts, int from) {
    TimeUuid reach = parts.get(from).last();
    int to = from + 1;
    while (to < parts.size() && parts.get(to).first().compareTo(reach) <= 0) {
      TimeUuid last = parts.get(to).last();
      reach = last.compareTo(reach) > 0 ? last : reach;
      to++;
    }
    return to;
  }

  private void addApart(RowPart part) {
    if (query.hasWholeMinutes() && part instanceof PageRef page && covers(page)) {
      MinuteCounts minutes = page.meta().minutes();
      long startTicks = query.row().hour().startTicks() + minutes.from() * Ticks.PER_MINUTE;
      counter.add(startTicks, minutes.counts(), page.count(), page.payloadBytes());
    } else {
      counter.add(part.load(Projection.NAMES).within(query.range()));
    }
  }

  private boolean covers(RowPart part) {
    return query.range().contains(part.first()) && query.range().contains(part.last());
  }
}
