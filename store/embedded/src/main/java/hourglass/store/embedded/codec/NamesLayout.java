package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;

/**
 * The names of a page; the first name is in the header.
 *
 * <pre>
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *   | ticks after the     | kinds  | which are        | numbers of the    | the others' lower  |
 *   | first name's        | 1      | NUMBERED, where  | NUMBERED ones     | halves             |
 *   |                     |        | MIXED            |                   |                    |
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *     each but kinds a run of numbers, see {@link NumbersLayout}
 *
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *   | ticks, as above     | RUNS 1 | runs varint,     | run of each:      | each less its      |
 *   |                     |        | start of each 8  | {@link Indexes}   | start: numbers     |
 *   +---------------------+--------+------------------+-------------------+--------------------+
 * </pre>
 *
 * A lower half is stored as the unsigned number that it compares as ({@link TimeUuid#sortable}).
 * Generated names have a sequence number there, below 2^60, so each predicts the next. All other
 * lower halves are hashes or foreign, and are stored apart. A page of only one kind has no run of
 * the other. The names of a request's events or of a partition's records follow from a few distant
 * numbers. For these, the form RUNS stores each name's run.
 */
final class NamesLayout {
  /** Every lower half is below {@link #NUMBERED_END}. */
  static final int NUMBERED = 0;

  /** None is. */
  static final int OTHERS = 1;

  /** Some are: a 1 for each of them. */
  static final int MIXED = 2;

  /** All lie in a few runs; see {@link NameRuns}. */
  static final int RUNS = 3;

  /** Numbers in a run, as a power of two; a distance from the start has no more bits. */
  static final int RUN_BITS = 24;

  static final int RUNS_MAX = Indexes.OF_MAX;

  /** A start costs as much as a hash: with fewer names a run, on average, runs gain little. */
  static final int COLUMNS_PER_RUN_MIN = 16;

  /** The sortable lower halves of generated names lie below this, and no others do. */
  static final long NUMBERED_END = 1L << 60;

  private NamesLayout() {}

  static boolean isNumbered(long sortable) {
    return sortable >= 0 && sortable < NUMBERED_END;
  }
}
