package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;

/** Which rows events go to. For one run and one thread. */
@FunctionalInterface
interface Layout {
  /**
   * Chooses rows for events that are sent together.
   *
   * @param from the first of them; calls follow one another without gaps
   * @param to one after the last
   * @return the row of each, the first at 0
   */
  RowKey[] rows(Schedule schedule, int from, int to);
}
