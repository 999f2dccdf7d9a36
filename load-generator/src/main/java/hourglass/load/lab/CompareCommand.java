package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.Range;
import hourglass.command.Table;
import hourglass.load.command.Figures;
import hourglass.load.command.HtmlReport;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.store.WideColumnStore;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code hourglass load compare}, which writes the same events by several layouts, to a
 * store or a simulated ring, and compares the load of nodes and rows.
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
  private final JsonObject results = new JsonObject();
  private boolean passed = true;

  @Mixin private TrafficOptions traffic;

  @Option(
      names = "--layouts",
      paramLabel = "LAYOUT",
      split = ",",
      defaultValue = "hour,type,sharded:8,adaptive",
      description = "Layouts to compare, separated by commas: " + Layout.FORMS + ".")
  private List<String> layouts;

  @Option(
      names = "--batch-window",
      defaultValue = "10ms",
      description = "Events due within this time are written together.")
  private Duration batchWindow;

  @Mixin private RowOptions rows;

  @Option(
      names = "--writers",
      description =
          "Ingest processes that the adaptive layout plans for; batches go to one after the other.")
  @Range("1 to 256")
  private int writers = 1;

  @Mixin private TargetStore target;
  @Mixin private JsonReport json;
  @Mixin private HtmlReport html;

  @Option(
      names = "--histograms",
      paramLabel = "DIR",
      description = "Writes LAYOUT.hgrm and LAYOUT.hlog there, where latencies were measured.")
  private @Nullable Path histograms;

  /** The options for a store that is compared. */
  static final class TargetStore {
    @Option(
        names = "--config",
        description =
            "Settings of the store, as of serve (default: hourglass.conf in the working directory, if there).")
    @Nullable Path config;

    @Option(
        names = "--set",
        paramLabel = "KEY=VALUE",
        description =
            "One setting of the store, as of serve: store.engine=cassandra. May be repeated.")
    List<String> assignments = new ArrayList<>();

    @Option(
        names = "--in-flight",
        description =
            "Batches on their way to the store at a time; more wait, and that counts as latency.")
    @Range("1 to 100000")
    int inFlight = 256;

    @Option(
        names = "--give-up-after",
        defaultValue = "60s",
        description = "A batch that the store does not take for so long has failed.")
    Duration giveUpAfter;

    boolean isNamed() {
      return config != null || !assignments.isEmpty();
    }
  }

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
    checkOptions();
    ProgressLine progress = ProgressLine.on(err());
    Integer nodes = rows.ring;
    return nodes == null ? compareOnStore(progress) : compareOnRing(nodes, progress);
  }

  private void checkOptions() {
    if ((rows.ring != null) == target.isNamed()) {
      throw wrongUsage(
          "want one of --ring NODES, and a store by --set or --config, such as --set"
              + " store.engine=cassandra");
    }
    rows.check(this);
    for (String layout : layouts) {
      require(Layout.isOne(layout), "--layouts", layout, Layout.FORMS);
      boolean once = layouts.indexOf(layout) == layouts.lastIndexOf(layout);
      require(once, "--layouts", layout, "each once");
    }
    json.check(this);
    html.check(this);
    requireFolder("--histograms", histograms);
  }

  private boolean compareOnRing(int nodes, ProgressLine progress) throws IOException {
    Schedule schedule = traffic.schedule(HOUR_ON_A_RING);
    NodePlacement placement = NodePlacement.of(rows.ring(nodes, traffic.seed));
    List<List<Event>> windows = schedule.windows(batchWindow.toNanos());
    for (String name : layouts) {
      progress.say(FigureText.format("%s: %,d events", name, schedule.measured()));
      Layout layout = layout(name, schedule, placement);
      add(onRing(name, layout, schedule, windows, placement), Map.of());
    }
    JsonObject settings =
        settings(schedule)
            .put("ring_nodes", nodes)
            .mergeIn(figures("--vnodes", "--replication", "--tokens"));
    return end(schedule, FigureText.format("a simulated ring of %,d nodes", nodes), settings);
  }

  /** Counts the writes of a layout, each when it is due. */
  static LayoutResult onRing(
      String name,
      Layout layout,
      Schedule schedule,
      List<List<Event>> windows,
      NodePlacement nodes) {
    WriteCounts counts = new WriteCounts(schedule, nodes);
    for (List<Event> events : windows) {
      RowKey[] rows = layout.rows(events);
      for (int i = 0; i < rows.length; i++) {
        Event event = events.get(i);
        counts.add(event, rows[i], Schedule.second(event.dueNanos()));
      }
    }
    counts.end();
    double seconds = schedule.lengthNanos() / 1e9;
    return new LayoutResult(name, counts, schedule.measured(), 0, seconds, null, null);
  }

  private boolean compareOnStore(ProgressLine progress) throws IOException, InterruptedException {
    Schedule schedule = traffic.schedule(Hour.of(clock.instant()));
    List<List<Event>> windows = schedule.windows(batchWindow.toNanos());
    try (WideColumnStore store = opener.open(target.config, target.assignments)) {
      StoreUnderTest test =
          new StoreUnderTest(store, schedule.hours(), target.giveUpAfter, nanos, progress);
      test.prepare();
      NodePlacement nodes = NodePlacement.of(store);
      for (String name : layouts) {
        try {
          Map<String, Long> before = test.nodeWrites(opener);
          Layout layout = layout(name, schedule, nodes);
          StoreRun run = new StoreRun(schedule, windows, nodes, test, target.inFlight);
          LayoutResult result = run.run(name, layout, progress);
          Map<String, Long> batches = new TreeMap<>(test.nodeWrites(opener));
          batches.replaceAll((node, count) -> count - before.getOrDefault(node, 0L));
          add(result, batches);
        } finally {
          test.empty();
        }
      }
      JsonObject settings = settings(schedule).mergeIn(figures("--in-flight", "--give-up-after"));
      return end(
          schedule, FigureText.format("a store of %,d nodes", nodes.names().size()), settings);
    }
  }

  private Layout layout(String name, Schedule schedule, NodePlacement nodes) {
    return name.equals("adaptive")
        ? new AdaptiveLayout(schedule, nodes, rows.planner(), writers, traffic.seed)
        : Layout.of(name);
  }

  private void add(LayoutResult result, Map<String, Long> nodeBatches) throws IOException {
    LatencyLog latencies = result.latencies();
    if (histograms != null && latencies != null) {
      latencies.write(histograms, result.name().replace(':', '-'));
    }
    results.put(result.name(), result.figures(nodeBatches));
    passed &= result.failed() == 0;
  }

  private JsonObject settings(Schedule schedule) {
    return new JsonObject()
        .put("scenario", traffic.scenario.toString())
        .put("layouts", String.join(",", layouts))
        .mergeIn(figures("--batch-window"))
        .mergeIn(traffic.figures(this, schedule))
        .mergeIn(figures("--target-columns", "--target-bytes", "--writers"));
  }

  /** Prints and writes the report. Returns whether every event was written. */
  private boolean end(Schedule schedule, String where, JsonObject settings) throws IOException {
    String seconds = FigureText.decimal(schedule.lengthNanos() / 1e9);
    String title =
        FigureText.format(
            "%s on %s: %,d events in %s s", traffic.scenario, where, schedule.measured(), seconds);
    JsonObject figures =
        new JsonObject().put("title", title).put("settings", settings).put("layouts", results);
    Table table = CompareTable.of(new Figures(figures));
    json.write(figures);
    JsonObject report = new JsonObject().put("run", figures).put("table", table.rows());
    html.write(CompareCommand.class, "compare.js", report);
    out().printf("%s%n%n%s", title, table.text().indent(2));
    out().flush();
    return passed;
  }
}
