package hourglass.query.tail;

/** The reason why a tail ended one step of its output. */
public enum Progress {
  FULL,
  /** A filter has checked many events. Other tasks should run first, even if the chunk has room. */
  PAUSED,
  WAITING,
  DONE
}
