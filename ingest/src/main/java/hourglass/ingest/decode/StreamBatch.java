package hourglass.ingest.decode;

/**
 * Events of a stream that no sender repeats. Their names and their time of receipt are fixed, so
 * that a write that is tried again writes the same columns. One write at a time may read it.
 *
 * @param receivedTicks the time of events without one
 * @param firstNumber the name of the first event; those of the others follow
 */
public record StreamBatch(
    ConvertedEvents events, ItemRules rules, long receivedTicks, long firstNumber) {}
