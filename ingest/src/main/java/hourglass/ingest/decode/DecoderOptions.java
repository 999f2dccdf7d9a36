package hourglass.ingest.decode;

import java.time.Duration;
import java.util.function.Function;

/**
 * The limits of events. Immutable.
 *
 * @param acceptLate how far an event's time may be before now, or before the time of its record
 * @param acceptEarly how far it may be after now
 * @param maxNesting levels of objects and arrays, with the event as the first
 * @param retention how long the store keeps a type; an older event is rejected
 */
public record DecoderOptions(
    Duration acceptLate,
    Duration acceptEarly,
    int maxEventBytes,
    int maxNesting,
    Function<String, Duration> retention) {}
