package hourglass.load.send;

import hourglass.command.FigureText;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The latencies of the requests of a run. Thread-safe. */
public final class Latencies {
  private static final long MICROS_MAX = TimeUnit.HOURS.toMicros(1);
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final double[] CURVE = {
    0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 99.999, 100
  };

  /** The time from the intended time of sending to the verdict. */
  public final Histogram intendedMicros = new ConcurrentHistogram(MICROS_MAX, 3);

  /** The time from the last attempt to the verdict. */
  final Histogram serviceMicros = new ConcurrentHistogram(MICROS_MAX, 3);

  final Timeline timeline;

  Latencies(long startNanos) {
    timeline = new Timeline(startNanos);
  }

  /** Returns the latency in milliseconds that 99 % of the requests do not exceed. */
  public double p99Millis() {
    return intendedMicros.getValueAtPercentile(99) / 1e3;
  }

  /**
   * Records the latencies of a request.
   *
   * @param events the number of events that the answer accepted
   */
  void record(long intendedNanos, long sentNanos, long doneNanos, long events) {
    long micros = micros(doneNanos - intendedNanos);
    timeline.add(doneNanos, events, micros);
    intendedMicros.recordValue(micros);
    serviceMicros.recordValue(micros(doneNanos - sentNanos));
  }

  private static long micros(long nanos) {
    return Math.max(0, Math.min(MICROS_MAX, nanos / 1_000));
  }

  /** Returns latencies in milliseconds, by percentile. */
  public static JsonObject figures(Histogram micros) {
    JsonObject figures = new JsonObject();
    for (double percentile : PERCENTILES) {
      double millis = micros.getValueAtPercentile(percentile) / 1e3;
      figures.put("p" + FigureText.decimal(percentile), millis);
    }
    return figures.put("max", micros.getMaxValue() / 1e3).put("mean", micros.getMean() / 1e3);
  }

  /** Returns pairs of a percentile and its latency in milliseconds. */
  public static List<List<Double>> curve(Histogram micros) {
    return DoubleStream.of(CURVE)
        .mapToObj(each -> List.of(each, micros.getValueAtPercentile(each) / 1e3))
        .toList();
  }

  /** Returns the text of a .hgrm file, in milliseconds. */
  public static byte[] distribution(Histogram micros) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    micros.outputPercentileDistribution(new PrintStream(text, true, StandardCharsets.UTF_8), 1e3);
    return text.toByteArray();
  }

  public static String line(Histogram micros) {
    StringBuilder line = new StringBuilder();
    figures(micros)
        .getMap()
        .forEach((name, millis) -> line.append(FigureText.format("%s %.1f  ", name, millis)));
    return line.append("ms ").toString();
  }
}
