package hourglass.load;

import hourglass.bucketing.Hour;
import java.io.IOException;
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
 * or to a simulated ring, and shows what each does to nodes and rows.
 */
@Command(
    name = "compare",
    description = {
      "Writes the same events by one layout of rows after the other and shows what that does to nodes"
          + " and rows: straight to a store, or on a simulated ring (--ring), in seconds.",
      "",
      "A store must not hold anything yet in the hours that are written, and they are deleted after"
          + " each layout."
    })
public final class CompareCommand extends LoadTask {
  private static final Hour HOUR_ON_A_RING = Hour.parse("2026-11-20T08");

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TrafficOptions traffic;

  @Option(
      names = "--layouts",
      paramLabel = "LAYOUT",
      split = ",",
      defaultValue = "hour,type,sharded:8",
      description = "Which to compare, with commas: " + LayoutChoice.FORMS)
  @SuppressWarnings("NullAway.Init") // has a default
  private List<String> layouts;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RingOptions ring;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ReportOptions report;

  @Override
  boolean run() throws IOException, InterruptedException {
    traffic.check(this);
    ring.check(this);
    report.check(this);
    List<LayoutChoice> choices = choices();
    Progress progress = Progress.on(err(), nanos);
    Integer count = ring.nodes;
    if (count == null) {
      throw wrongUsage("--ring: missing");
    }
    Schedule schedule = traffic.schedule(HOUR_ON_A_RING, progress);
    NodeMap nodes = ring.ring(count, traffic.seed);
    CompareRun run = new CompareRun(title(schedule, count), settings(schedule));
    RingRun simulation = new RingRun(schedule, nodes, ring.nodeRate);
    for (LayoutChoice choice : choices) {
      progress.say("%s: %,d events".formatted(choice.name(), schedule.size()));
      LayoutResult result = simulation.run(choice.name(), choice.open());
      report.writeHistograms(result);
      run.add(result);
    }
    report.write(run.figures());
    out().print(run.text());
    out().flush();
    return run.passed();
  }

  private List<LayoutChoice> choices() {
    List<LayoutChoice> choices = new ArrayList<>();
    for (String layout : layouts) {
      LayoutChoice choice = LayoutChoice.parse(layout);
      if (choice == null) {
        throw wrongUsage("--layouts: %s, want %s".formatted(layout, LayoutChoice.FORMS));
      }
      require(!choices.contains(choice), "--layouts", layout, "each once");
      choices.add(choice);
    }
    return choices;
  }

  private String title(Schedule schedule, int nodes) {
    return "%s on a simulated ring of %,d nodes: %,d events in %s s"
        .formatted(
            traffic.name(), nodes, schedule.size(), JsonText.number(schedule.lengthNanos() / 1e9));
  }

  private Map<String, @Nullable Object> settings(Schedule schedule) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("scenario", traffic.name());
    settings.put("layouts", String.join(",", layouts));
    settings.putAll(traffic.figures(schedule));
    settings.putAll(ring.figures());
    return settings;
  }
}
