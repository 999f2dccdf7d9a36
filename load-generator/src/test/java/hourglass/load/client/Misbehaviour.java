package hourglass.load.client;

/** Faults of a {@link FakeTarget}, each only once or for a few events. */
public enum Misbehaviour {
  LOSES_AN_EVENT,
  /** Stores an event twice, under another id. */
  DOUBLES_AN_EVENT,
  /** Sends an event twice in the stream, under the same id. */
  REPEATS_IN_STREAM,
  ALTERS_A_BYTE,
  /** Shifts a time by one tick. */
  SHIFTS_A_TIME,
  CHANGES_A_TYPE,
  SWAPS_IN_STREAM,
  /** A time other than that of the id. */
  SHOWS_ANOTHER_TIME,
  MISCOUNTS,
  PAGE_SKIPS,
  PAGE_REPEATS,
  PAGE_INCOMPLETE,
  CUTS_STREAM,
  /** Reports an incomplete stream in a trailer. */
  STREAM_INCOMPLETE,
  /** Leaves out the last event of the first stream only. */
  FIRST_STREAM_INCOMPLETE,
  FAILS_THE_FIRST_STREAM,
  /** Fails every stream of everything that would hold its first event. */
  FAILS_STREAMS_OF_THE_FIRST,
  /** Shows nothing to the first three requests for the newest events, once it has any. */
  SHOWS_LATE,
  /** Ends cleanly. */
  ENDS_STREAM_EARLY,
  REFUSES_429,
  REFUSES_503,
  CUTS_BEFORE_STORING,
  CUTS_AFTER_STORING,
  ALWAYS_500,
  ALWAYS_401,
  REJECTS_THE_THIRD,
  /** Ignores Idempotency-Keys too. */
  FORGETS_IDENTITY
}
