package hourglass.query;

/** Why a step of a scan ended. */
public enum Progress {
  /** There is no room for the next event: come again with more. */
  FULL,
  /** A filter has looked at many events; there may be room, but others should have a turn. */
  PAUSED,
  /** The store has yet to answer: come again when it has. */
  WAITING,
  /** The taker wants no more events; seen inside this package only. */
  ENOUGH,
  /** Nothing more will come. */
  DONE
}
