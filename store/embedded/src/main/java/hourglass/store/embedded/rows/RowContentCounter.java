package hourglass.store.embedded.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.embedded.pages.MinuteCounts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts a range of a row exactly. Overlapping parts may share names, so these are merged; other
 * pages are counted from the inventory. For a single use.
 */
public final class RowContentCounter {
  private final RowContent content;
  private final CountQuery query;
  private final Hour hour;
  private final boolean wholeMinutes;
  private final Map<Integer, Long> byStep = new HashMap<>();
  private long columns;
  private long bytes;

  public RowContentCounter(RowContent content, CountQuery query) {
    this.content = content;
    this.query = query;
    this.hour = query.row().hour();
    this.wholeMinutes =
        query.stepTicks() % Ticks.PER_MINUTE == 0
            && (hour.startTicks() - query.originTicks()) % Ticks.PER_MINUTE == 0;
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
    return new RowCounts(columns, bytes, byStep);
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
    if (cluster.size() == 1 && wholeMinutes && single instanceof PageRef page && covers(single)) {
      addMinutes(page.meta().minutes());
      columns += page.count();
      bytes += page.payloadBytes();
    } else {
      addColumns(RowContentReader.names(cluster, query.range()));
    }
  }

  private boolean covers(RowPart part) {
    return query.range().contains(part.first()) && query.range().contains(part.last());
  }

  private void addColumns(Columns distinct) {
    columns += distinct.size();
    bytes += distinct.payloadBytes();
    int from = 0;
    while (from < distinct.size()) {
      int step = query.step(distinct.ticks(from));
      long nextStart = query.originTicks() + (step + 1L) * query.stepTicks();
      TimeUuid next = TimeUuid.first(nextStart);
      int to = distinct.lowerBound(next.ticks(), next.lsb(), from);
      byStep.merge(step, (long) (to - from), Long::sum);
      from = to;
    }
  }

  private void addMinutes(MinuteCounts minutes) {
    for (int i = 0; i < minutes.counts().length; i++) {
      int count = minutes.counts()[i];
      if (count > 0) {
        long tick = hour.startTicks() + (minutes.from() + i) * Ticks.PER_MINUTE;
        byStep.merge(query.step(tick), (long) count, Long::sum);
      }
    }
  }
}
