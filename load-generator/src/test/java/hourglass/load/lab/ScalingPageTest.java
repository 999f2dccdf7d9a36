package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The results of docs/scaling.md follow from its inputs. After a change of an input, the failure
 * has the new lines.
 */
final class ScalingPageTest {
  private static final Path PAGE = Path.of("..", "docs", "scaling.md");
  private static final double[] EVENTS_PER_SECOND = {100_000, 1_000_000, 15_000_000};

  /** One column of the inputs. */
  private record Inputs(Map<String, Double> values) {
    double get(String name) {
      Double value = values.get(name);
      assertThat(value).as("an input named %s", name).isNotNull();
      return value;
    }

    double million(double perSecond, String cost) {
      return perSecond / 1e6 * get(cost);
    }

    double busyCores(String machine) {
      return get("cores of a " + machine) * get("share of cores in use");
    }
  }

  @FunctionalInterface
  private interface Formula {
    double value(Inputs in, double perSecond);
  }

  private record Result(String name, Formula formula) {}

  private static final List<Result> RESULTS =
      List.of(
          new Result("cores of nodes, for writes", ScalingPageTest::writeCores),
          new Result("nodes, for their CPU", ScalingPageTest::nodesForCpu),
          new Result("TB on disks", ScalingPageTest::terabytes),
          new Result("nodes, for their disks", ScalingPageTest::nodesForDisks),
          new Result(
              "MB/s written to a node",
              (in, events) ->
                  events
                      * in.get("bytes of an event")
                      * in.get("copies")
                      / nodes(in, events)
                      / 1e6),
          new Result("ingest processes", ScalingPageTest::ingest),
          new Result("query processes", ScalingPageTest::query),
          new Result("MB/s of events", (in, events) -> events * in.get("bytes of an event") / 1e6),
          new Result("rows an hour", ScalingPageTest::rows),
          new Result(
              "rows kept by a node",
              (in, events) ->
                  rows(in, events)
                      * 24
                      * in.get("days kept")
                      * in.get("copies")
                      / nodes(in, events)),
          new Result(
              "directory: MB an hour and partition",
              (in, events) ->
                  rows(in, events)
                      * in.get("bytes of a directory record")
                      / DirectoryRecord.BUCKETS
                      / 1e6),
          new Result(
              "directory: writes a second, at least",
              (in, events) -> rows(in, events) / 3600 * in.get("directory writes a row")),
          new Result(
              "sealing: MB/s of directory, all processes",
              (in, events) ->
                  rows(in, events)
                      * in.get("hours looked at a minute")
                      / 60
                      * in.get("bytes of a directory record")
                      * (ingest(in, events) + query(in, events))
                      / 1e6),
          new Result(
              "sealing: threads",
              (in, events) -> Math.ceil(in.million(events, "seconds to seal a million"))),
          new Result(
              "late notes a second and partition",
              (in, events) -> events * in.get("late events, of all") / 4));

  private static double writeCores(Inputs in, double events) {
    return in.million(events * in.get("copies"), "CPU s a million and copy, node");
  }

  private static double nodesForCpu(Inputs in, double events) {
    return Math.max(in.get("copies"), Math.ceil(writeCores(in, events) / in.busyCores("node")));
  }

  private static double terabytes(Inputs in, double events) {
    double perDay = events * 86_400 * in.get("bytes stored an event and copy") * in.get("copies");
    return perDay * in.get("days kept") / 1e12;
  }

  private static double nodesForDisks(Inputs in, double events) {
    double each = in.get("TB of a node's disks") * in.get("share of disks in use");
    return Math.max(in.get("copies"), Math.ceil(terabytes(in, events) / each));
  }

  private static double nodes(Inputs in, double events) {
    return Math.max(nodesForCpu(in, events), nodesForDisks(in, events));
  }

  private static double ingest(Inputs in, double events) {
    return processes(in, in.million(events, "CPU s a million pushed, ingest"));
  }

  private static double query(Inputs in, double events) {
    double read = events * in.get("events read, of those pushed");
    return processes(in, in.million(read, "CPU s a million read"));
  }

  private static double processes(Inputs in, double cores) {
    return Math.max(2, Math.ceil(cores / in.busyCores("process")));
  }

  private static double rows(Inputs in, double events) {
    double columns =
        Math.min(100_000, in.get("MiB of a row") * (1 << 20) / in.get("bytes of an event"));
    return events * 3600 / columns;
  }

  @Test
  void theResultsFollowFromTheInputs() throws IOException {
    String page = Files.readString(PAGE);
    List<Inputs> inputs = inputs(page);
    List<String> wanted = new ArrayList<>();
    for (Result result : RESULTS) {
      StringBuilder line = new StringBuilder("| " + result.name + " |");
      for (Inputs each : inputs) {
        for (double events : EVENTS_PER_SECOND) {
          double value = result.formula.value(each, events);
          line.append(
              String.format(
                  Locale.ROOT,
                  value < 10 && value != Math.rint(value) ? " %.1f |" : " %,.0f |",
                  value));
        }
      }
      wanted.add(line.toString());
    }
    assertThat(page).contains(String.join("\n", wanted));
  }

  private static List<Inputs> inputs(String page) {
    Map<String, Double> columns = new HashMap<>();
    Map<String, Double> marks = new HashMap<>();
    String table = page.substring(page.indexOf("| input |"));
    table
        .lines()
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1))
        .forEach(
            cells -> {
              columns.put(cells[1].strip(), Double.valueOf(cells[2].strip()));
              marks.put(cells[1].strip(), Double.valueOf(cells[3].strip()));
            });
    return List.of(new Inputs(columns), new Inputs(marks));
  }
}
