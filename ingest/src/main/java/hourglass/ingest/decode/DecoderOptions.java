package hourglass.ingest.decode;

import java.time.Duration;
import java.util.function.Function;

/**
 * The limits of events. Immutable.
 *
 * @param acceptLate how far behind now, or behind the time of its record, an event's time may be
 * @param acceptEarly how far ahead of now it may be
 * @param maxNesting levels of objects and arrays, the event included
 * @param retention how long the store keeps a type: an older event is rejected
 */
public record DecoderOptions(
    Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxNesting,
    Function<String, Duration> retention) {}
