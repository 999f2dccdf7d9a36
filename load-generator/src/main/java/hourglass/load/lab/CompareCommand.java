package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.load.command.Figures;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.load.command.ProgressLine;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.lab.traffic.TrafficOptions;
import hourglass.store.WideColumnStore;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final JsonObject layouts = new JsonObject();
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
    Integer nodes = compare.rows.ring;
    return nodes == null ? onStore(progress) : onRing(nodes, progress);
  }

  private boolean onRing(int nodes, ProgressLine progress) throws IOException {
    Schedule schedule = traffic.schedule(HOUR_ON_A_RING, progress);
    NodePlacement placement = NodePlacement.of(compare.rows.ring(nodes, traffic.seed));
    List<Schedule.Window> windows = schedule.windows(compare.batchWindow.toNanos());
    RingRun ring = new RingRun(schedule, windows, placement, compare.nodeRate);
    for (String name : compare.layouts) {
      progress.say("%s: %,d events".formatted(name, schedule.measured()));
      LayoutResult result = ring.run(name, compare.layout(name, schedule, placement, traffic.seed));
      add(result, Map.of());
    }
    JsonObject settings =
        settings(schedule)
            .put("ring_nodes", nodes)
            .mergeIn(figures("--vnodes", "--replication", "--tokens", "--node-rate"));
    String where = "a simulated ring of %,d nodes".formatted(nodes);
    return end(schedule, where, settings);
  }

  private boolean onStore(ProgressLine progress) throws IOException, InterruptedException {
    Schedule schedule = traffic.schedule(Hour.of(clock.instant()), progress);
    List<Schedule.Window> windows = schedule.windows(compare.batchWindow.toNanos());
    try (WideColumnStore store = opener.open(compare.config, compare.assignments)) {
      StoreUnderTest test =
          new StoreUnderTest(store, schedule.hours(), compare.giveUpAfter, nanos, progress);
      test.prepare();
      NodePlacement nodes = NodePlacement.of(store);
      for (String name : compare.layouts) {
        try {
          Map<String, Long> before = test.nodeWrites(opener);
          Layout layout = compare.layout(name, schedule, nodes, traffic.seed);
          StoreRun run = new StoreRun(schedule, windows, nodes, test, compare.inFlight);
          LayoutResult result = run.run(name, layout, progress);
          Map<String, Long> batches = new TreeMap<>(test.nodeWrites(opener));
          batches.replaceAll((node, count) -> count - before.getOrDefault(node, 0L));
          add(result, batches);
        } finally {
          test.empty();
        }
      }
      JsonObject settings = settings(schedule).mergeIn(figures("--in-flight", "--give-up-after"));
      String where = "a store of %,d nodes".formatted(nodes.names().size());
      return end(schedule, where, settings);
    }
  }

  private void add(LayoutResult result, Map<String, Long> nodeBatches) throws IOException {
    report.writeHistograms(result.name(), result.latencies());
    layouts.put(result.name(), result.figures(nodeBatches));
    passed &= result.failed() == 0;
  }

  private JsonObject settings(Schedule schedule) {
    return new JsonObject()
        .put("scenario", traffic.name())
        .put("layouts", String.join(",", compare.layouts))
        .mergeIn(figures("--batch-window"))
        .mergeIn(traffic.figures(this, schedule))
        .mergeIn(figures("--target-columns", "--target-bytes", "--writers"));
  }

  /** Returns whether every event was written. */
  private boolean end(Schedule schedule, String where, JsonObject settings) throws IOException {
    String seconds = Figures.decimal(schedule.lengthNanos() / 1e9);
    String title =
        "%s on %s: %,d events in %s s"
            .formatted(traffic.name(), where, schedule.measured(), seconds);
    JsonObject figures =
        new JsonObject().put("title", title).put("settings", settings).put("layouts", layouts);
    report.write(figures);
    out().print(CompareReport.text(figures));
    out().flush();
    return passed;
  }
}
