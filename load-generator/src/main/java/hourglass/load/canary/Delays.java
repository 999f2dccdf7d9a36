package hourglass.load.canary;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Delays of a run that may take days: bounded, to be read while it goes on. Thread-safe. */
final class Delays {
  private static final long MICROS_MAX = TimeUnit.DAYS.toMicros(7);

  private final Histogram micros = new Histogram(MICROS_MAX, 3);
  private double sumSeconds;

  synchronized void record(long nanos) {
    long atLeastZero = Math.max(0, nanos);
    micros.recordValue(Math.min(MICROS_MAX, atLeastZero / 1_000));
    sumSeconds += atLeastZero / 1e9;
  }

  /** All figures at one moment, so that they agree with one another. */
  record Snapshot(Histogram micros, double sumSeconds) {
    long count() {
      return micros.getTotalCount();
    }

    /** How many took at most that long, to a thousandth of it. */
    long countUpTo(double seconds) {
      return micros.getCountBetweenValues(0, (long) (seconds * 1e6));
    }
  }

  synchronized Snapshot snapshot() {
    return new Snapshot(micros.copy(), sumSeconds);
  }

  /** A copy, in microseconds. */
  synchronized Histogram micros() {
    return micros.copy();
  }

  /** The text of a .hgrm file, in milliseconds. */
  byte[] distribution() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8);
    micros().outputPercentileDistribution(out, 1e3);
    out.flush();
    return text.toByteArray();
  }
}
