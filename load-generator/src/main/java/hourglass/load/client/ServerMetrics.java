package hourglass.load.client;

import hourglass.load.command.LoadFailure;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the targets, from their Prometheus text.
 *
 * @param diskBytes of the blocks that the whole data directory uses
 */
public record ServerMetrics(
    @Nullable Double cpuSeconds, @Nullable Double residentBytes, @Nullable Double diskBytes) {
  /** Sums of all targets; null where one does not give a figure. */
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
