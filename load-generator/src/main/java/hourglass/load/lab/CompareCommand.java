package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.load.command.Durations;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.load.command.ProgressLine;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.lab.traffic.SendWindow;
import hourglass.load.lab.traffic.TrafficOptions;
import hourglass.store.WideColumnStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code hourglass load compare}: writes the same events by one layout after the other, to a store
 * or to a simulated ring, and shows what each does to nodes and rows. Its creator passes in the
 * means to open a store.
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

  @Mixin private TrafficOptions traffic;

  @Option(
      names = "--layouts",
      paramLabel = "LAYOUT",
      split = ",",
      defaultValue = "hour,type,sharded:8,adaptive",
      description = "Layouts to compare, separated by commas: " + LayoutChoice.FORMS + ".")
  private List<String> layouts;

  @Option(
      names = "--batch-window",
      paramLabel = "DURATION",
      defaultValue = "10ms",
      converter = Durations.class,
      description = "Events due within this time are written together.")
  private Duration batchWindow;

  @Mixin private AdaptiveOptions adaptive;

  @Mixin private RingOptions ring;

  @Mixin private StoreChoice choice;

  @Mixin private ReportOptions report;

  /** Compares on simulated rings only. */
  public CompareCommand() {
    this(
        (config, assignments) -> {
          throw new LoadFailure("no store can be opened here: name a --ring");
        });
  }

  /**
   * Compares on simulated rings and in stores.
   *
   * @param opener of the store, where no ring is simulated
   */
  public CompareCommand(StoreOpener opener) {
    this.opener = opener;
  }

  @Override
  protected boolean run() throws IOException, InterruptedException {
    traffic.check(this);
    adaptive.check(this);
    ring.check(this);
    choice.check(this, ring.nodes != null);
    report.check(this);
    List<LayoutChoice> choices = choices();
    ProgressLine progress = ProgressLine.on(err());
    Integer nodes = ring.nodes;
    return nodes == null ? onStore(choices, progress) : onRing(nodes, choices, progress);
  }

  private List<LayoutChoice> choices() {
    List<LayoutChoice> choices = new ArrayList<>();
    for (String layout : layouts) {
      LayoutChoice one = LayoutChoice.parse(layout);
      if (one == null) {
        throw wrongUsage("--layouts: %s, want %s".formatted(layout, LayoutChoice.FORMS));
      }
      require(!choices.contains(one), "--layouts", layout, "each once");
      choices.add(one);
    }
    return choices;
  }

  private boolean onRing(int nodes, List<LayoutChoice> choices, ProgressLine progress)
      throws IOException {
    Schedule schedule = traffic.schedule(HOUR_ON_A_RING, progress);
    NodePlacement map = ring.ring(nodes, traffic.seed);
    RingRun simulation = new RingRun(schedule, windows(schedule), map, ring.nodeRate);
    CompareRun run =
        new CompareRun(
            title(schedule, "a simulated ring of %,d nodes".formatted(nodes)),
            settings(schedule, ring.figures()));
    for (LayoutChoice each : choices) {
      progress.say("%s: %,d events".formatted(each.name(), schedule.measured()));
      add(run, simulation.run(each.name(), open(each, schedule, map)));
    }
    return end(run);
  }

  private boolean onStore(List<LayoutChoice> choices, ProgressLine progress)
      throws IOException, InterruptedException {
    Schedule schedule = traffic.schedule(Hour.of(clock.instant()), progress);
    List<SendWindow> windows = windows(schedule);
    try (WideColumnStore store = opener.open(choice.config, choice.assignments)) {
      StoreUnderTest test = new StoreUnderTest(store, schedule.hours(), progress);
      test.prepare();
      StoreNodes nodes = StoreNodes.of(store);
      StoreWrites writes = new StoreWrites(store, nanos, choice.giveUpAfter.toNanos());
      CompareRun run =
          new CompareRun(
              title(schedule, "a store of %,d nodes".formatted(nodes.names().size())),
              settings(schedule, choice.figures()));
      for (LayoutChoice each : choices) {
        try {
          Map<String, Long> before = test.nodeWrites(opener);
          StoreRun one = new StoreRun(schedule, windows, nodes, writes, nanos, choice.inFlight);
          LayoutResult result = one.run(each.name(), open(each, schedule, nodes), progress);
          add(run, result.counted(before, test.nodeWrites(opener)));
        } finally {
          test.empty();
        }
      }
      return end(run);
    }
  }

  private Layout open(LayoutChoice layout, Schedule schedule, NodePlacement nodes) {
    return layout.open(() -> adaptive.layout(schedule, nodes, traffic.seed));
  }

  private List<SendWindow> windows(Schedule schedule) {
    return SendWindow.of(schedule, batchWindow.toNanos());
  }

  private void add(CompareRun run, LayoutResult result) throws IOException {
    report.writeHistograms(result);
    run.add(result);
  }

  private boolean end(CompareRun run) throws IOException {
    report.write(run.figures());
    out().print(run.text());
    out().flush();
    return run.passed();
  }

  private String title(Schedule schedule, String where) {
    return "%s on %s: %,d events in %s s"
        .formatted(
            traffic.name(),
            where,
            schedule.measured(),
            JsonReport.number(schedule.lengthNanos() / 1e9));
  }

  private Map<String, @Nullable Object> settings(
      Schedule schedule, Map<String, @Nullable Object> more) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("scenario", traffic.name());
    settings.put("layouts", String.join(",", layouts));
    settings.put("batch_window_seconds", batchWindow.toMillis() / 1e3);
    settings.putAll(traffic.figures(schedule));
    settings.putAll(adaptive.figures());
    settings.putAll(more);
    return settings;
  }
}
