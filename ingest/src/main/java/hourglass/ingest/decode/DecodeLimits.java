package hourglass.ingest.decode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a single event.
 *
 * @param acceptLate how far behind now its time may be; null for as far as there are hours
 * @param acceptEarly how far ahead of now its time may be
 * @param maxEventBytes its bytes
 * @param maxNesting objects and arrays inside one another, the event included
 * @param retention how long its type is kept
 */
public record DecodeLimits(
    @Nullable Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxNesting,
    TypeRetention retention) {}
