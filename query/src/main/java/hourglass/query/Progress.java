package hourglass.query;

/** Why a step of a scan ended. */
public enum Progress {
  /** There is no room for the next event: come again with more. */
  FULL,
  /** The store has yet to answer: come again when it has. */
  WAITING,
  /** The taker wants no more events; seen inside this package only. */
  ENOUGH,
  /** Nothing more will come. */
  DONE
}
