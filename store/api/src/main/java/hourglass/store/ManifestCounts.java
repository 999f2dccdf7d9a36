package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts from a manifest: of a whole row, in steps of whole minutes. */
final class ManifestCounts {
  private ManifestCounts() {}

  /** The counts, or null if the store must be asked. */
  static @Nullable RowCounts of(RowEntry entry, CountQuery query) {
    Manifest manifest = entry.manifest();
    Hour hour = entry.row().hour();
    if (manifest == null
        || !entry.sealed()
        || !isWhole(manifest, query)
        || !isMinutes(hour, query)) {
      return null;
    }
    Map<Integer, Long> byStep = new HashMap<>();
    int[] byMinute = manifest.columnsByMinute();
    for (int minute = 0; minute < byMinute.length; minute++) {
      if (byMinute[minute] > 0) {
        int step = query.step(hour.startTicks() + minute * Ticks.PER_MINUTE);
        byStep.merge(step, (long) byMinute[minute], Long::sum);
      }
    }
    return new RowCounts(manifest.columns(), manifest.bytes(), byStep);
  }

  private static boolean isWhole(Manifest manifest, CountQuery query) {
    return query.range().contains(manifest.first()) && query.range().contains(manifest.last());
  }

  private static boolean isMinutes(Hour hour, CountQuery query) {
    return query.stepTicks() % Ticks.PER_MINUTE == 0
        && (hour.startTicks() - query.originTicks()) % Ticks.PER_MINUTE == 0;
  }
}
