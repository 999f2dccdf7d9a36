package hourglass.load.command;

/** Every bound of the load generator, each with its reason. */
public final class Limits {
  /** A prepared run lies in memory whole; above this the machine under test would feel it. */
  public static final long PREPARED_BYTES_MAX = 1L << 30;

  /** A batch ends early here, well below the 64 MiB that a target takes by default. */
  public static final int BATCH_BYTES_MAX = 32 << 20;

  /** A line longer than this is no event: a target takes 1 MiB by default. */
  public static final int LINE_BYTES_MAX = 64 << 20;

  /** One thread a connection. */
  public static final int CONNECTIONS_MAX = 1024;

  /** More in a request than its body could hold. */
  public static final int BATCH_EVENTS_MAX = 1_000_000;

  /**
   * Batches built ahead of the connections, for each of them: enough to never wait, small to hold.
   */
  public static final int AHEAD_PER_CONNECTION = 2;

  /** An answer that is read whole: an acknowledgement, metrics, a page. */
  public static final int ANSWER_BYTES_MAX = 32 << 20;

  /** Retry-After beyond this is not waited for at once: the target is asked again. */
  public static final long RETRY_AFTER_MILLIS_MAX = 30_000;

  /** Kinds of errors and reasons of refusals counted apart; all others share one counter. */
  public static final int KINDS_MAX = 32;

  /** Faults of a kind that are shown; all are counted. */
  public static final int FAULTS_SHOWN = 3;

  /** Part of the heap that the digests of a verification may take, sent and read together. */
  public static final int HEAP_SHARE_OF_DIGESTS = 2;

  /** Some 30 bytes each; at 100,000 a second that is a minute and a half. */
  public static final int SCHEDULE_EVENTS_MAX = 10_000_000;

  /** Events of a batch of the laboratory: as many as a server would write at a time. */
  public static final int WINDOW_EVENTS_MAX = 5_000;

  /** A canary runs beside traffic; higher rates need another scenario. */
  public static final double CANARY_RATE_MAX = 1_000;

  /**
   * Events of a canary that wait for their check while no target answers: some 200 bytes each. At
   * 1/s more than two days.
   */
  public static final int CANARY_AWAITED_EVENTS_MAX = 200_000;

  /** Events of a canary that are checked by one query. */
  public static final int CANARY_WINDOW_EVENTS_MAX = 50_000;

  /** Events of an answer that is asked for to see the newest. */
  public static final int CANARY_PAGE_EVENTS = 500;

  /** Pages that one look may read: enough for all events that may wait for a check. */
  public static final int CANARY_LOOK_PAGES = CANARY_AWAITED_EVENTS_MAX / CANARY_PAGE_EVENTS;

  /** Events looked at before a canary begins, to see whose the type is. */
  public static final int CANARY_LOOK_EVENTS = 1_000;

  private Limits() {}
}
