package hourglass.load.send;

import java.util.concurrent.atomic.LongAdder;

/** The events of a run by their outcome. Thread-safe. */
public final class EventCounts {
  public final LongAdder accepted = new LongAdder();

  /** The events with the verdict "not an event". */
  public final LongAdder rejected = new LongAdder();

  /** The events that got the time of receipt. */
  final LongAdder untimed = new LongAdder();

  public final LongAdder unknown = new LongAdder();

  /** The events that were given up and are certainly not stored. */
  public final LongAdder givenUp = new LongAdder();
}
