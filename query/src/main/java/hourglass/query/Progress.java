package hourglass.query;

/** The reason why a step of a scan ended. */
public enum Progress {
  /** There is no room for the next event. Call again with more. */
  FULL,
  /** A filter has checked many events. Other tasks should run first, even if there is room. */
  PAUSED,
  /** The store has yet to answer. Call again once it has. */
  WAITING,
  /** The consumer wants no more events; seen within the scan only. */
  ENOUGH,
  /** There are no more events. */
  DONE
}
