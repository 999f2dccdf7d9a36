package hourglass.ingest.service;

import hourglass.store.Retention;
import java.time.Duration;

/**
 * The limits of ingest. {@code acceptLate} and {@code acceptEarly} count from now. Immutable.
 *
 * @param maxBodyBytes limit of one body, unpacked
 * @param maxInFlightBytes limit of all requests together, packed and unpacked; at least twice the
 *     sum of {@code maxBodyBytes} and {@link #WRITE_BYTES_MAX}, so that the largest body fits alone
 * @param maxNesting levels of objects and arrays, with the event as the first
 * @param retention the retention of each type; an older event is rejected, since the store would
 *     delete it silently
 */
public record IngestOptions(
    Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxBodyBytes,
    long maxInFlightBytes,
    int maxNesting,
    int errorsListedMax,
    Retention retention) {

  /**
   * The bytes of one write. A larger body is written in several steps, so that it is never in
   * memory twice.
   */
  public static final int WRITE_BYTES_MAX = 8 << 20;

  private static final int MIB = 1 << 20;

  // Offsets within a body are ints.
  private static final int BODY_BYTES_MAX = 1 << 30;
  private static final int NESTING_MAX = 1000;
  private static final int ERRORS_LISTED_MAX = 10_000;

  // This default suits a heap of 768 MiB, of which open pages use 256 MiB and answers 256 MiB.
  private static final long IN_FLIGHT_BYTES = 160L * MIB;

  public static final IngestOptions DEFAULTS =
      new IngestOptions(
          Retention.FOREVER,
          Duration.ofMinutes(10),
          MIB,
          64 * MIB,
          IN_FLIGHT_BYTES,
          64,
          100,
          Retention.DEFAULTS);

  public IngestOptions {
    range("accept-late", acceptLate.toMillis(), 0, Retention.FOREVER.toMillis());
    range("accept-early", acceptEarly.toMillis(), 0, Retention.FOREVER.toMillis());
    range("max-body-bytes", maxBodyBytes, 1, BODY_BYTES_MAX);
    range("max-event-bytes", maxEventBytes, 1, maxBodyBytes);
    range("max-in-flight-bytes", maxInFlightBytes, inFlightBytesMin(maxBodyBytes), Long.MAX_VALUE);
    range("max-nesting", maxNesting, 1, NESTING_MAX);
    range("errors-listed-max", errorsListedMax, 0, ERRORS_LISTED_MAX);
  }

  /**
   * Returns the memory that one body of the largest size needs: as received, unpacked, and its
   * events.
   */
  public static long inFlightBytesMin(int maxBodyBytes) {
    return 2L * maxBodyBytes + 2L * WRITE_BYTES_MAX;
  }

  private static void range(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          key + ": " + value + ", want " + min + " to " + (max == Long.MAX_VALUE ? "any" : max));
    }
  }
}
