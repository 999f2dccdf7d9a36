package hourglass.load.lab;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.command.Table;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadTask;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "simulate",
    description = {
      "Simulates the beginning of an hour in a cluster of many nodes and writers: the load of nodes and"
          + " rows, the claims, and the directory. Events are only counted, and nothing is sent."
    })
public final class SimulateCommand extends LoadTask {
  @Mixin private RowOptions rows;

  @Option(names = "--writers", description = "Ingest processes; requests reach them in turn.")
  @Range("1 to 1000")
  private int writers = 100;

  @Mixin private Traffic traffic;

  @Option(names = "--seed", description = "The same seed and settings give the same figures.")
  private long seed = 1;

  @Mixin private JsonReport json;

  static final class Traffic {
    @Option(names = "--rate", description = "Events a second of all writers.")
    @Range("1 to 1e8")
    double rate = 1_000_000;

    @Option(names = "--batch", description = "Events in each request.")
    @Range("1 to 1e6")
    int batch = 5_000;

    @Option(names = "--types", description = "Event types.")
    @Range("1 to 1e5")
    int types = 1_000;

    @Option(
        names = "--types-in-request",
        description = "Types drawn for each request; each draw has the same share of its events.")
    @Range("1 to 1e5")
    int typesInRequest = 10;

    @Option(names = "--skew", description = "Zipf exponent of the types; 0: all alike.")
    @Range("0 to 10")
    double skew = 1.1;

    @Option(names = "--payload-bytes", description = "Bytes of each event.")
    @Range("1 to 1048576")
    int bytes = 170;

    @Option(names = "--warm-up", description = "Seconds of the hour before, without measuring.")
    @Range("0 to 3600")
    int warmUp = 30;

    @Option(names = "--seconds", description = "Seconds of the hour that are simulated.")
    @Range("1 to 3600")
    int seconds = 60;
  }

  @Override
  protected boolean run() throws IOException {
    rows.check(this);
    json.check(this);
    int nodes = rows.ring == null ? 1_000 : rows.ring;
    ClusterSimulation simulation =
        new ClusterSimulation(rows.ring(nodes, seed), rows.planner(), traffic, seed);
    simulation.run(writers);
    JsonObject figures =
        figures("--vnodes", "--replication", "--tokens", "--spread", "--target-columns")
            .mergeIn(figures("--target-bytes", "--writers", "--rate", "--batch", "--types"))
            .mergeIn(
                figures(
                    "--types-in-request",
                    "--skew",
                    "--payload-bytes",
                    "--warm-up",
                    "--seconds",
                    "--seed"))
            .put("ring_nodes", nodes)
            .mergeIn(simulation.figures());
    json.write(figures);
    figures.remove("node_columns");
    Table table = new Table(List.of("figure", "value"), List.of());
    figures.forEach(each -> table.add(List.of(each.getKey(), text(each.getValue()))));
    out().print(table.text());
    out().flush();
    return true;
  }

  private static String text(Object figure) {
    return figure instanceof Double number ? FigureText.format("%,.3f", number) : figure.toString();
  }
}
