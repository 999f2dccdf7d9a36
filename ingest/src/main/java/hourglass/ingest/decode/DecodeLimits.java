package hourglass.ingest.decode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one event.
 *
 * @param acceptLate how far behind now its time may be; null: to the first hour
 * @param acceptEarly how far ahead of now its time may be
 * @param maxEventBytes limit of its bytes
 * @param maxNesting levels of objects and arrays, the event included
 * @param retention how long the store keeps each type
 */
public record DecodeLimits(
    @Nullable Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxNesting,
    TypeRetention retention) {}
