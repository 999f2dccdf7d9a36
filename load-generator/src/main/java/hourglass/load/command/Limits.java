package hourglass.load.command;

/** Every bound of the load generator, each with its reason. */
public final class Limits {
  /** A prepared run lies in memory; above this the machine under test would feel it. */
  public static final long PREPARED_BYTES_MAX = 1L << 30;

  /** Well below the 64 MiB that a target takes by default. */
  public static final int BATCH_BYTES_MAX = 32 << 20;

  /** A target takes 1 MiB by default. */
  public static final int LINE_BYTES_MAX = 64 << 20;

  /** One thread a connection. */
  public static final int CONNECTIONS_MAX = 1024;

  /** More in a request than its body could hold. */
  public static final int BATCH_EVENTS_MAX = 1_000_000;

  /** Batches built ahead for each connection: enough to never wait, small to hold. */
  public static final int AHEAD_PER_CONNECTION = 2;

  /** Acknowledgements, metrics, pages. */
  public static final int ANSWER_BYTES_MAX = 32 << 20;

  /** Beyond this Retry-After the target is asked again. */
  public static final long RETRY_AFTER_MILLIS_MAX = 30_000;

  /** All others share one counter. */
  public static final int KINDS_MAX = 32;

  /** All faults of a kind are counted. */
  public static final int FAULTS_SHOWN = 3;

  /** Part of the heap for the digests of a verification. */
  public static final int HEAP_SHARE_OF_DIGESTS = 2;

  /** Some 30 bytes each; at 100,000 a second that is a minute and a half. */
  public static final int SCHEDULE_EVENTS_MAX = 10_000_000;

  /** As many as a server would write at a time. */
  public static final int WINDOW_EVENTS_MAX = 5_000;

  /** A canary runs beside traffic; higher rates need another scenario. */
  public static final double CANARY_RATE_MAX = 1_000;

  /** At some 200 bytes each, while no target answers. At 1/s more than two days. */
  public static final int CANARY_AWAITED_EVENTS_MAX = 200_000;

  public static final int CANARY_WINDOW_EVENTS_MAX = 50_000;

  public static final int CANARY_PAGE_EVENTS = 500;

  /** Enough for all events that may wait for a check. */
  public static final int CANARY_LOOK_PAGES = CANARY_AWAITED_EVENTS_MAX / CANARY_PAGE_EVENTS;

  /** Events looked at before a canary begins, to see whose the type is. */
  public static final int CANARY_LOOK_EVENTS = 1_000;

  private Limits() {}
}
