package hourglass.load.client;

import hourglass.load.command.LoadFailure;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the targets, from their Prometheus text.
 *
 * @param cpuSeconds {@code process_cpu_seconds_total}
 * @param residentBytes {@code process_resident_memory_bytes}
 * @param diskBytes {@code hourglass_store_disk_bytes}: blocks used by the whole data directory
 */
public record ServerMetrics(
    @Nullable Double cpuSeconds, @Nullable Double residentBytes, @Nullable Double diskBytes) {
  private static final ServerMetrics NONE = new ServerMetrics(null, null, null);

  /** Reads them now, summed over all targets; each is null where one does not give it. */
  public static ServerMetrics of(TargetClient client) {
    StringBuilder all = new StringBuilder();
    try {
      for (URI target : client.pushTargets()) {
        all.append(client.text(target, "/metrics"));
      }
      return parse(all.toString());
    } catch (LoadFailure notGiven) {
      return NONE;
    }
  }

  static ServerMetrics parse(String text) {
    return new ServerMetrics(
        sum(text, "process_cpu_seconds_total"),
        sum(text, "process_resident_memory_bytes"),
        sum(text, "hourglass_store_disk_bytes"));
  }

  /** The sum over all series of a metric. */
  private static @Nullable Double sum(String text, String name) {
    Double sum = null;
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(name) && line.length() > name.length()) {
        char next = line.charAt(name.length());
        if (next == ' ' || next == '{') {
          sum = (sum == null ? 0 : sum) + value(line);
        }
      }
    }
    return sum;
  }

  private static double value(String line) {
    int labelsEnd = line.lastIndexOf('}');
    String[] words =
        line.substring(Math.max(labelsEnd + 1, line.indexOf(' '))).strip().split(" ", -1);
    try {
      return Double.parseDouble(words[0]);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
