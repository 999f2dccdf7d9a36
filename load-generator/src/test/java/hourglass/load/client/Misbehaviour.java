package hourglass.load.client;

/** What a {@link FakeTarget} can do wrong, each only once or to a few events. */
public enum Misbehaviour {
  /** Acknowledges an event and forgets it. */
  LOSES_AN_EVENT,
  /** Stores an event a second time under another id. */
  DOUBLES_AN_EVENT,
  /** Gives one event twice in the stream, under the same id. */
  REPEATS_IN_STREAM,
  /** Changes one byte of a payload. */
  ALTERS_A_BYTE,
  /** Moves an event by one tick. */
  SHIFTS_A_TIME,
  /** Stores one event under another type. */
  CHANGES_A_TYPE,
  /** Streams two neighbours the wrong way round. */
  SWAPS_IN_STREAM,
  /** Shows a time that is not that of the id. */
  SHOWS_ANOTHER_TIME,
  /** Counts one more than it has. */
  MISCOUNTS,
  /** The second page begins one event too late. */
  PAGE_SKIPS,
  /** The second page repeats the last event of the first. */
  PAGE_REPEATS,
  /** A page says that it is not complete. */
  PAGE_INCOMPLETE,
  /** Closes the connection in the midst of the stream. */
  CUTS_STREAM,
  /** Says in a trailer that a row did not answer. */
  STREAM_INCOMPLETE,
  /** Says so of the first stream only, which leaves out its last event. */
  FIRST_STREAM_INCOMPLETE,
  /** Answers the first stream of everything with 500. */
  FAILS_THE_FIRST_STREAM,
  /** Answers every stream of everything that would hold its first event with 500. */
  FAILS_STREAMS_OF_THE_FIRST,
  /** Shows nothing to the first three that ask for some newest events, once it has any. */
  SHOWS_LATE,
  /** Ends the stream cleanly, but early. */
  ENDS_STREAM_EARLY,
  /** Answers the first push with 429. */
  REFUSES_429,
  /** Answers the first push with 503. */
  REFUSES_503,
  /** Closes the connection of the first push without storing. */
  CUTS_BEFORE_STORING,
  /** Stores the first push, then closes the connection without an answer. */
  CUTS_AFTER_STORING,
  /** Answers every push with 500. */
  ALWAYS_500,
  /** Answers every push with 401. */
  ALWAYS_401,
  /** Rejects the third event of every push. */
  REJECTS_THE_THIRD,
  /** Ignores Idempotency-Keys and ids. */
  FORGETS_IDENTITY
}
