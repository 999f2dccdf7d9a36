package hourglass.load.lab;

import hourglass.load.send.Latencies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The latencies of a run in microseconds: of the whole run, by phase, and by second as a histogram
 * log. Thread-safe.
 */
final class LatencyLog {
  private static final double MICROS_PER_MILLI = 1e3;

  final Histogram whole = new Histogram(3);
  final List<Histogram> phases;
  final Map<String, List<Object>> bySecond = new LinkedHashMap<>();
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final HistogramLogWriter writer =
      new HistogramLogWriter(new PrintStream(lines, false, StandardCharsets.UTF_8));
  private final Histogram inSecond = new Histogram(3);
  private int second;

  /** The number of events done in each second. */
  final List<Long> doneBySecond = new ArrayList<>();

  LatencyLog(int phaseCount) {
    phases = Stream.generate(() -> new Histogram(3)).limit(phaseCount).toList();
    writer.outputComment("[latencies in milliseconds, from the intended time of sending]");
    writer.outputLogFormatVersion();
    writer.outputLegend();
  }

  /**
   * Records the latency of events that were written together.
   *
   * @param atSecond the second of the end; latencies of a past second count for the present one
   * @param events the number of events
   */
  synchronized void record(int atSecond, int phase, long nanos, int events) {
    if (atSecond > second) {
      endSecond();
      second = atSecond;
    }
    long micros = Math.max(0, nanos / 1_000);
    whole.recordValue(micros);
    phases.get(phase).recordValue(micros);
    inSecond.recordValue(micros);
    while (doneBySecond.size() <= atSecond) {
      doneBySecond.add(0L);
    }
    doneBySecond.set(atSecond, doneBySecond.get(atSecond) + events);
  }

  synchronized void endSecond() {
    if (inSecond.getTotalCount() == 0) {
      return;
    }
    add("second", second);
    add("p50_ms", inSecond.getValueAtPercentile(50) / MICROS_PER_MILLI);
    add("p99_ms", inSecond.getValueAtPercentile(99) / MICROS_PER_MILLI);
    add("max_ms", inSecond.getMaxValue() / MICROS_PER_MILLI);
    writer.outputIntervalHistogram(second, second + 1.0, inSecond, MICROS_PER_MILLI);
    inSecond.reset();
  }

  private void add(String figure, Object value) {
    bySecond.computeIfAbsent(figure, added -> new ArrayList<>()).add(value);
  }

  /** Writes {@code name.hgrm} and {@code name.hlog} to a folder, which is created. */
  void write(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(name + ".hgrm"), Latencies.distribution(whole));
    Files.write(folder.resolve(name + ".hlog"), lines.toByteArray());
  }
}
