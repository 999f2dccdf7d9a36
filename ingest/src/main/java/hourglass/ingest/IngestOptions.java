package hourglass.ingest;

import hourglass.ingest.decode.TypeRetention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of ingest. Immutable.
 *
 * @param acceptLate how far behind now an event's time may be; null for as far as there are hours
 * @param acceptEarly how far ahead of now an event's time may be
 * @param maxEventBytes the bytes of one event
 * @param maxBodyBytes the bytes of one body, unpacked
 * @param maxInFlightBytes the memory that all requests together may hold, bodies as sent and as
 *     unpacked, from the first byte to the answer; at least twice {@code maxBodyBytes} and {@link
 *     #WRITE_BYTES_MAX}, so that the largest body can be taken when nothing else is in flight
 * @param maxNesting objects and arrays inside one another, the event included
 * @param errorsListedMax refused events that an answer lists
 * @param retention how late an event of a type may be at the most
 */
public record IngestOptions(
    @Nullable Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxBodyBytes,
    long maxInFlightBytes,
    int maxNesting,
    int errorsListedMax,
    TypeRetention retention) {

  /**
   * Memory of the events that one write hands to the store. A larger body is decoded and written in
   * several steps, so that it never stands in memory twice.
   */
  public static final int WRITE_BYTES_MAX = 8 << 20;

  private static final int MIB = 1 << 20;

  // An array cannot be longer, and offsets within a body are ints.
  private static final int BODY_BYTES_MAX = 1 << 30;
  private static final int NESTING_MAX = 1000;
  private static final int ERRORS_LISTED_MAX = 10_000;

  // Three quarters of what stays of a heap of 512 MiB when the store has half of it.
  private static final long IN_FLIGHT_BYTES = 160L * MIB;

  /** 10 min early, as late as one likes, events of 1 MiB in bodies of 64 MiB. */
  public static final IngestOptions DEFAULTS =
      new IngestOptions(
          null,
          Duration.ofMinutes(10),
          MIB,
          64 * MIB,
          IN_FLIGHT_BYTES,
          64,
          100,
          TypeRetention.KEEP);

  public IngestOptions {
    if (acceptLate != null) {
      range("accept-late", acceptLate.toMillis(), 0, Duration.ofDays(36_525).toMillis());
    }
    range("accept-early", acceptEarly.toMillis(), 0, Duration.ofDays(36_525).toMillis());
    range("max-body-bytes", maxBodyBytes, 1, BODY_BYTES_MAX);
    range("max-event-bytes", maxEventBytes, 1, maxBodyBytes);
    range("max-in-flight-bytes", maxInFlightBytes, inFlightBytesMin(maxBodyBytes), Long.MAX_VALUE);
    range("max-nesting", maxNesting, 1, NESTING_MAX);
    range("errors-listed-max", errorsListedMax, 0, ERRORS_LISTED_MAX);
  }

  /** What one body of the largest size takes: as received and as unpacked, then its events. */
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
