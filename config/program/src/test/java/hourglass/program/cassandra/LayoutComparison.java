package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import hourglass.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The report of `load compare` on one hot type, by layout. */
final class LayoutComparison {
  static final List<String> LAYOUTS = List.of("hour", "type", "sharded:8", "adaptive");

  private final Config layouts;

  private LayoutComparison(Config layouts) {
    this.layouts = layouts;
  }

  /**
   * @param json the name of the report
   * @param where the options that say where the layouts are tried
   */
  static LayoutComparison run(Path folder, String json, List<String> where) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "compare",
                "--scenario=hot-type",
                "--hour=2026-11-20T08",
                "--layouts=" + String.join(",", LAYOUTS),
                "--rate=400",
                "--seconds=15",
                "--target-columns=1000",
                "--json=" + json));
    arguments.addAll(where);
    Program.Result result = Program.run(folder, arguments.toArray(String[]::new));
    System.out.println(result.out());
    assertThat(result.exit()).as(result.err()).isZero();
    return new LayoutComparison(
        ConfigFactory.parseFile(folder.resolve(json).toFile()).getConfig("layouts"));
  }

  /** The report of one layout. */
  Config of(String layout) {
    return layouts.getConfig(ConfigUtil.joinPath(layout));
  }

  /** Returns the share of each node, in the order of their names. */
  List<Double> shares(String layout) {
    Config nodes = of(layout).getConfig("nodes");
    return nodes.root().keySet().stream()
        .sorted()
        .map(node -> nodes.getDouble(ConfigUtil.joinPath(node, "share")))
        .toList();
  }
}
