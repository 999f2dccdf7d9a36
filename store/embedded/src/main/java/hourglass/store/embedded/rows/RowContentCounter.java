package hourglass.store.embedded.rows;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnCounter;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.embedded.pages.MinuteCounts;
import java.util.Comparator;
import java.util.List;

/**
 * Counts a range of a row exactly. Overlapping parts may share names, so these are merged; other
 * pages are counted from the inventory. For a single use.
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
    int from = 0;
    while (from < parts.size()) {
      int to = clusterEnd(parts, from);
      addCluster(parts.subList(from, to));
      from = to;
    }
    return counter.counts();
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

  private void addCluster(List<RowPart> cluster) {
    RowPart single = cluster.get(0);
    if (cluster.size() == 1
        && query.hasWholeMinutes()
        && single instanceof PageRef page
        && covers(page)) {
      MinuteCounts minutes = page.meta().minutes();
      long startTicks = query.row().hour().startTicks() + minutes.from() * Ticks.PER_MINUTE;
      counter.add(startTicks, minutes.counts(), page.count(), page.payloadBytes());
    } else {
      counter.add(RowContentReader.names(cluster, query.range()));
    }
  }

  private boolean covers(RowPart part) {
    return query.range().contains(part.first()) && query.range().contains(part.last());
  }
}
