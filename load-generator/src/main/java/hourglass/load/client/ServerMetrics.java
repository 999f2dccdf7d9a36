package hourglass.load.client;

import hourglass.load.command.LoadFailure;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the targets, from their metrics in Prometheus' text format.
 *
 * @param diskBytes the size of the blocks that the whole data directory uses
 */
public record ServerMetrics(
    @Nullable Double cpuSeconds, @Nullable Double residentBytes, @Nullable Double diskBytes) {
  /**
   * Returns the sums of all targets. All figures are null if a target gives no metrics, and one is
   * null if no target gives it.
   */
  public static ServerMetrics of(TargetClient client) {
    StringBuilder all = new StringBuilder();
    try {
      for (URI target : client.pushTargets()) {
        all.append(client.text(target, "/metrics"));
      }
      return parse(all.toString());
    } catch (LoadFailure notGiven) {
      return new ServerMetrics(null, null, null);
    }
  }

  static ServerMetrics parse(String text) {
    return new ServerMetrics(
        sum(text, "process_cpu_seconds_total"),
        sum(text, "process_resident_memory_bytes"),
        sum(text, "hourglass_store_disk_bytes"));
  }

  private static @Nullable Double sum(String text, String name) {
    Double sum = null;
    Matcher line = Pattern.compile("(?m)^" + name + "(?:\\{.*})? +(NaN|[-+.\\deE]+)").matcher(text);
    while (line.find()) {
      sum = (sum == null ? 0 : sum) + Double.parseDouble(line.group(1));
    }
    return sum;
  }
}
