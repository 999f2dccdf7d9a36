package hourglass.query;

/** The reason why a step of a scan ended. */
public enum Progress {
  FULL,
  /** A filter has checked many events. Other tasks should run first, even if the chunk has room. */
  PAUSED,
  WAITING,
  /** The consumer needs no more events. Used only within the scan. */
  ENOUGH,
  DONE
}
