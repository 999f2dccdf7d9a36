package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/**
 * Events of a stream that no sender repeats. Their names and their time of receipt are fixed, so
 * that a repeated write stores the same columns. One write at a time may read the batch or a part
 * of it. Immutable.
 */
public final class StreamBatch {
  private final ConvertedEvents events;
  private final ItemRules rules;
  private final int from;
  private final int to;

  /** The refusal of all events; null if they are written. */
  private final ItemCursor.@Nullable Refusal refusal;

  private final long receivedTicks;
  private final long firstNumber;

  /**
   * Creates a batch of all events.
   *
   * @param receivedTicks the time of events without one
   * @param firstNumber the number that names the first event; those of the others follow
   */
  public StreamBatch(
      ConvertedEvents events, ItemRules rules, long receivedTicks, long firstNumber) {
    this(events, rules, receivedTicks, firstNumber, 0, events.size(), null);
  }

  private StreamBatch(
      ConvertedEvents events,
      ItemRules rules,
      long receivedTicks,
      long firstNumber,
      int from,
      int to,
      ItemCursor.@Nullable Refusal refusal) {
    this.events = events;
    this.rules = rules;
    this.receivedTicks = receivedTicks;
    this.firstNumber = firstNumber;
    this.from = from;
    this.to = to;
    this.refusal = refusal;
  }

  public int size() {
    return to - from;
  }

  public long receivedTicks() {
    return receivedTicks;
  }

  /** Returns a cursor over the events. */
  public ItemCursor items() {
    return events.items(rules, from, to, refusal);
  }

  /** Returns the number that names an event, by its place among all of the stream's events. */
  long number(int event) {
    return firstNumber + event;
  }

  /** Returns the events {@code [partFrom, partTo)} of this batch, with their names. */
  public StreamBatch part(int partFrom, int partTo) {
    return new StreamBatch(
        events, rules, receivedTicks, firstNumber, from + partFrom, from + partTo, refusal);
  }

  /** Returns the same events, which are rejected when they are written. */
  public StreamBatch refused(Reason reason, String problem) {
    ItemCursor.Refusal all = new ItemCursor.Refusal(reason, problem);
    return new StreamBatch(events, rules, receivedTicks, firstNumber, from, to, all);
  }
}
