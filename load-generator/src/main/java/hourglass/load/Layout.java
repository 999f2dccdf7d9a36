package hourglass.load;

import hourglass.bucketing.RowKey;

/** Which row an event goes to. For one run and one thread; asked in the order of sending. */
@FunctionalInterface
interface Layout {
  /**
   * The row of an event.
   *
   * @param ticks the event's time
   * @param lsb the lower half of its name
   * @param bytes of its payload
   */
  RowKey row(String type, long ticks, long lsb, int bytes);
}
