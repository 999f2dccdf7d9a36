package hourglass.load.lab;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.load.command.LoadTask;
import hourglass.load.lab.traffic.Schedule;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the adaptive layout plans. */
final class AdaptiveOptions {
  private static final int WRITERS_MAX = 256;

  @Option(
      names = "--target-columns",
      paramLabel = "N",
      description = "Columns that a row of the adaptive layout aims at.")
  long targetColumns = 100000;

  @Option(
      names = "--target-bytes",
      paramLabel = "N",
      description = "Payload bytes that such a row aims at; whichever comes first.")
  long targetBytes = 10485760;

  @Option(
      names = "--writers",
      paramLabel = "N",
      description =
          "Ingest processes that the adaptive layout plans for; batches go to one after the other.")
  int writers = 1;

  void check(LoadTask command) {
    command.requireRange(
        "--target-columns",
        targetColumns,
        PlannerOptions.TARGET_COLUMNS_MIN,
        PlannerOptions.TARGET_COLUMNS_MAX);
    command.requireRange(
        "--target-bytes",
        targetBytes,
        PlannerOptions.TARGET_BYTES_MIN,
        PlannerOptions.TARGET_BYTES_MAX);
    command.requireRange("--writers", writers, 1, WRITERS_MAX);
  }

  /** A new layout for a run. */
  Layout layout(Schedule schedule, NodePlacement nodes, long seed) {
    return new AdaptiveLayout(
        schedule, nodes, new PlannerOptions(targetColumns, targetBytes, 0), writers, seed);
  }

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("target_columns", targetColumns);
    figures.put("target_bytes", targetBytes);
    figures.put("writers", writers);
    return figures;
  }
}
