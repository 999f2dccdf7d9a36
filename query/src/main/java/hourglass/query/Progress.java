package hourglass.query;

/** The reason why a step of a scan ended. */
public enum Progress {
  FULL,
  /** A filter has checked many events. Other tasks should run first, even if there is room. */
  PAUSED,
  WAITING,
  /** The consumer wants no more events; seen within the scan only. */
  ENOUGH,
  DONE
}
