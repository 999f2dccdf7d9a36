package hourglass.load.canary;

import java.time.Duration;

/**
 * How a canary runs.
 *
 * @param ratePerSecond events of the schedule, more than 0
 * @param events turns of the schedule, at most
 * @param lengthNanos of the schedule; {@link Long#MAX_VALUE}: until it is stopped
 * @param connections events on their way at once
 * @param window how long events are gathered that are checked together
 * @param settle how long they rest before
 * @param interval between two looks for events acknowledged and not seen
 * @param giveUpAfter how long one event is tried, and how long the end waits for answers
 */
record CanarySettings(
    double ratePerSecond,
    long events,
    long lengthNanos,
    int connections,
    Duration window,
    Duration settle,
    Duration interval,
    Duration giveUpAfter) {}
