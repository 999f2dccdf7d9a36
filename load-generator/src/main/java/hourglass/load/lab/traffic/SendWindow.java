package hourglass.load.lab.traffic;

import hourglass.load.command.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Events of a schedule that are sent together: those of a short time, as a server gathers them.
 *
 * @param from the first event
 * @param to one after the last
 * @param stretch the number of the phase; in the warm-up that of the first
 */
public record SendWindow(int from, int to, int stretch) {
  /**
   * All windows of a schedule, without gaps.
   *
   * @param windowNanos how far apart in time the first and the last event of a window are at most
   */
  public static List<SendWindow> of(Schedule schedule, long windowNanos) {
    List<SendWindow> windows = new ArrayList<>();
    int from = 0;
    int stretch = 0;
    while (from < schedule.size()) {
      long due = schedule.dueNanos(from);
      while (due >= schedule.stretches().get(stretch).toNanos()) {
        stretch++;
      }
      int to = Math.min(schedule.size(), from + Limits.WINDOW_EVENTS_MAX);
      long phaseEnd = due < 0 ? 0 : schedule.stretches().get(stretch).toNanos();
      long end = Math.min(due + windowNanos, phaseEnd - 1);
      to = Math.max(from + 1, Math.min(to, schedule.firstDue(end + 1)));
      windows.add(new SendWindow(from, to, stretch));
      from = to;
    }
    return windows;
  }

  public int events() {
    return to - from;
  }

  public boolean isMeasured(Schedule schedule) {
    return schedule.isMeasured(from);
  }

  /** When all of its events are there. */
  public long dueNanos(Schedule schedule) {
    return schedule.dueNanos(to - 1);
  }
}
