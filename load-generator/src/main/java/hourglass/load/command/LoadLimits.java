package hourglass.load.command;

/** Every limit of the load generator, each with its reason. */
public final class LoadLimits {
  /**
   * The size of a prepared run, which is held in memory. A larger one would disturb the machine
   * under test.
   */
  public static final long PREPARED_BYTES_MAX = 1L << 30;

  /** The size of a batch, well below the 64 MiB that a target accepts by default. */
  public static final int BATCH_BYTES_MAX = 32 << 20;

  /** The size of a line. A target accepts 1 MiB by default. */
  public static final int LINE_BYTES_MAX = 64 << 20;

  /** The most connections, each of which has a thread. */
  public static final int CONNECTIONS_MAX = 1024;

  /** The most events in a request, more than its body could contain. */
  public static final int BATCH_EVENTS_MAX = 1_000_000;

  /**
   * The batches that are built ahead for each connection: enough to never wait, few enough to hold
   * in memory.
   */
  public static final int AHEAD_PER_CONNECTION = 2;

  /** The size of an answer: an acknowledgement, metrics, or a page. */
  public static final int ANSWER_BYTES_MAX = 32 << 20;

  /** The longest Retry-After that is obeyed; after this time the target is asked again. */
  public static final long RETRY_AFTER_MILLIS_MAX = 30_000;

  /** The most kinds of errors with a counter of their own. All others share one counter. */
  public static final int KINDS_MAX = 32;

  /** The most faults of a kind that are shown. All of them are counted. */
  public static final int FAULTS_SHOWN = 3;

  /** The divisor of the heap for the digests of a verification. */
  public static final int HEAP_SHARE_OF_DIGESTS = 2;

  /**
   * The most events in a schedule, at some 50 bytes each. At 100,000 events a second that is a
   * minute and a half.
   */
  public static final int SCHEDULE_EVENTS_MAX = 5_000_000;

  /** The most events in a window, as many as a server would write at a time. */
  public static final int WINDOW_EVENTS_MAX = 5_000;

  /**
   * The highest rate of a canary, which runs alongside traffic. Higher rates need another scenario.
   */
  public static final double CANARY_RATE_MAX = 1_000;

  /**
   * The most events of a canary that wait for their check while no target answers, at some 200
   * bytes each. At one event a second they last for more than two days.
   */
  public static final int CANARY_AWAITED_EVENTS_MAX = 200_000;

  public static final int CANARY_WINDOW_EVENTS_MAX = 50_000;

  public static final int CANARY_PAGE_EVENTS = 500;

  /** The most pages of one look, enough for all events that may wait for a check. */
  public static final int CANARY_LOOK_PAGES = CANARY_AWAITED_EVENTS_MAX / CANARY_PAGE_EVENTS;

  /**
   * The number of events that are read before a canary begins, to see whether the type is its own.
   */
  public static final int CANARY_LOOK_EVENTS = 1_000;

  private LoadLimits() {}
}
