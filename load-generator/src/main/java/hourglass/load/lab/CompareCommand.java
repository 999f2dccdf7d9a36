package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.load.command.ProgressLine;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.lab.traffic.TrafficOptions;
import hourglass.store.WideColumnStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code hourglass load compare}: writes the same events by several layouts, to a store or a
 * simulated ring, and compares the load of nodes and rows.
 */
@Command(
    name = "compare",
    description = {
      "Writes the same events by several layouts of rows, one after the other, and compares the load"
          + " of nodes and rows: directly in a store, or on a simulated ring (--ring), in seconds.",
      "",
      "The hours that are written must be empty in a store; they are deleted after each layout."
    })
public final class CompareCommand extends LoadTask {
  private static final Hour HOUR_ON_A_RING = Hour.parse("2026-11-20T08");

  private final StoreOpener opener;
  private boolean passed = true;

  @Mixin private TrafficOptions traffic;

  @Mixin private CompareOptions compare;

  @Mixin private CompareReport report;

  public CompareCommand() {
    this(
        (config, assignments) -> {
          throw new LoadFailure("no store can be opened here: name a --ring");
        });
  }

  public CompareCommand(StoreOpener opener) {
    this.opener = opener;
  }

  @Override
  protected boolean run() throws IOException, InterruptedException {
    traffic.check(this);
    compare.check(this);
    report.check(this);
    ProgressLine progress = ProgressLine.on(err());
    Integer nodes = compare.ring;
    return nodes == null ? onStore(progress) : onRing(nodes, progress);
  }

  private boolean onRing(int nodes, ProgressLine progress) throws IOException {
    Schedule schedule = traffic.schedule(HOUR_ON_A_RING, progress);
    NodePlacement placement = compare.ringNodes(nodes, traffic.seed);
    RingRun ring = new RingRun(schedule, windows(schedule), placement, compare.nodeRate);
    Map<String, @Nullable Object> layouts = new LinkedHashMap<>();
    for (String name : compare.layouts) {
      progress.say("%s: %,d events".formatted(name, schedule.measured()));
      LayoutResult result = ring.run(name, compare.layout(name, schedule, placement, traffic.seed));
      add(result, Map.of(), layouts);
    }
    Map<String, @Nullable Object> settings = settings(schedule);
    settings.put("ring_nodes", nodes);
    settings.putAll(figures("--vnodes", "--replication", "--tokens", "--node-rate"));
    String where = "a simulated ring of %,d nodes".formatted(nodes);
    return end(schedule, where, settings, layouts);
  }

  private boolean onStore(ProgressLine progress) throws IOException, InterruptedException {
    Schedule schedule = traffic.schedule(Hour.of(clock.instant()), progress);
    List<Schedule.Window> windows = windows(schedule);
    try (WideColumnStore store = opener.open(compare.config, compare.assignments)) {
      StoreUnderTest test =
          new StoreUnderTest(store, schedule.hours(), compare.giveUpAfter, nanos, progress);
      test.prepare();
      NodePlacement nodes = NodePlacement.of(store);
      Map<String, @Nullable Object> layouts = new LinkedHashMap<>();
      for (String name : compare.layouts) {
        try {
          Map<String, Long> before = test.nodeWrites(opener);
          Layout layout = compare.layout(name, schedule, nodes, traffic.seed);
          StoreRun run = new StoreRun(schedule, windows, nodes, test, nanos, compare.inFlight);
          LayoutResult result = run.run(name, layout, progress);
          Map<String, Long> batches = new TreeMap<>(test.nodeWrites(opener));
          batches.replaceAll((node, count) -> count - before.getOrDefault(node, 0L));
          add(result, batches, layouts);
        } finally {
          test.empty();
        }
      }
      Map<String, @Nullable Object> settings = settings(schedule);
      settings.putAll(figures("--in-flight", "--give-up-after"));
      String where = "a store of %,d nodes".formatted(nodes.names().size());
      return end(schedule, where, settings, layouts);
    }
  }

  private List<Schedule.Window> windows(Schedule schedule) {
    return schedule.windows(compare.batchWindow.toNanos());
  }

  private void add(
      LayoutResult result, Map<String, Long> nodeBatches, Map<String, @Nullable Object> layouts)
      throws IOException {
    report.writeHistograms(result.name(), result.latencies());
    layouts.put(result.name(), result.figures(nodeBatches));
    passed &= result.failed() == 0;
  }

  private Map<String, @Nullable Object> settings(Schedule schedule) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("scenario", traffic.name());
    settings.put("layouts", String.join(",", compare.layouts));
    settings.putAll(figures("--batch-window"));
    settings.putAll(traffic.figures(this, schedule));
    settings.putAll(figures("--target-columns", "--target-bytes", "--writers"));
    return settings;
  }

  /** Returns whether every event was written. */
  private boolean end(
      Schedule schedule,
      String where,
      Map<String, @Nullable Object> settings,
      Map<String, @Nullable Object> layouts)
      throws IOException {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    String seconds = JsonReport.number(schedule.lengthNanos() / 1e9);
    figures.put(
        "title",
        "%s on %s: %,d events in %s s"
            .formatted(traffic.name(), where, schedule.measured(), seconds));
    figures.put("settings", settings);
    figures.put("layouts", layouts);
    report.write(figures);
    out().print(CompareReport.text(figures));
    out().flush();
    return passed;
  }
}
