package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.DiskBudget;
import hourglass.store.RetentionOutlook;
import hourglass.store.RetentionOutlook.Due;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Foresees which hours go next. Retentions end at known times. For a budget it takes the bytes of
 * the last day as the rate at which the store grows.
 *
 * @param leavingBytes the bytes of listed files that are as good as free
 */
record Outlook(
    DiskBudget budget,
    RetentionPolicy policy,
    DiskUse use,
    Map<ClassHour, Long> bytes,
    long leavingBytes,
    Instant now) {
  private static final Duration DAY = Duration.ofDays(1);

  /** A forecast further ahead than this is none. */
  private static final double DAYS_MAX = 36_525;

  RetentionOutlook next(int hoursMax) throws IOException {
    Map<Hour, Long> byHour = new TreeMap<>();
    bytes.forEach((of, count) -> byHour.merge(of.hour(), count, Long::sum));
    long perDay = bytesPerDay(byHour);
    List<Due> all = new ArrayList<>(ofRetention());
    all.addAll(ofBudget(byHour, perDay));
    all.sort(Comparator.comparing(Due::at).thenComparing(Due::hour).thenComparing(Due::why));
    Set<Hour> whole = new HashSet<>();
    Set<Due> next = new LinkedHashSet<>();
    for (Due due : all) {
      if (next.size() < hoursMax && !whole.contains(due.hour())) {
        next.add(due);
        if (!due.why().equals(RetentionOutlook.RETENTION)) {
          whole.add(due.hour()); // a budget takes all classes of an hour
        }
      }
    }
    return new RetentionOutlook(use.storeBytes(), perDay, List.copyOf(next));
  }

  private long bytesPerDay(Map<Hour, Long> byHour) {
    return byHour.entrySet().stream()
        .filter(each -> each.getKey().end().plus(DAY).isAfter(now))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private List<Due> ofRetention() {
    List<Due> due = new ArrayList<>();
    for (ClassHour of : bytes.keySet()) {
      Duration keep = policy.foreseen(StoreFiles.retentionOf(of.retentionClass()));
      if (keep != null) {
        due.add(new Due(of.hour(), RetentionOutlook.RETENTION, of.hour().end().plus(keep)));
      }
    }
    return due;
  }

  private List<Due> ofBudget(Map<Hour, Long> byHour, long perDay) throws IOException {
    List<Due> due = new ArrayList<>();
    DiskUse.Headroom headroom = use.headroom(budget, leavingBytes);
    if (headroom == null) {
      return due;
    }
    long left = headroom.bytes();
    for (Map.Entry<Hour, Long> oldest : byHour.entrySet()) {
      Instant exceeded = exceeded(left, perDay);
      if (exceeded == null) {
        break;
      }
      Instant mayGo = oldest.getKey().end().plus(budget.keepAtLeast());
      due.add(
          new Due(
              oldest.getKey(), headroom.why().text(), mayGo.isAfter(exceeded) ? mayGo : exceeded));
      left += oldest.getValue();
    }
    return due;
  }

  /** When so many bytes more are taken; null if never. */
  private @Nullable Instant exceeded(long left, long perDay) {
    if (left < 0) {
      return now;
    }
    double days = perDay == 0 ? Double.POSITIVE_INFINITY : (double) left / perDay;
    return days > DAYS_MAX ? null : now.plusMillis((long) (days * DAY.toMillis()));
  }
}
