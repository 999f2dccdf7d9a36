package hourglass.ingest.http;

/** The pace at which a body arrives, in ticks of equal length. Not thread-safe. */
final class BodyPace {
  /** The ticks without a byte, and those by which a body may lag behind the least pace. */
  private static final int TICKS_GRACE = 6;

  private static final long BYTES_PER_TICK_MIN = 640 * 1024;

  private int ticks;
  private int quietTicks;
  private long lengthAtTick;

  /** Ends a tick; true if the body, of which so many bytes have arrived, is to be refused. */
  boolean isTooSlow(long length) {
    ticks++;
    quietTicks = length == lengthAtTick ? quietTicks + 1 : 0;
    lengthAtTick = length;
    boolean lags = ticks - TICKS_GRACE > length / BYTES_PER_TICK_MIN;
    return quietTicks >= TICKS_GRACE || lags;
  }
}
