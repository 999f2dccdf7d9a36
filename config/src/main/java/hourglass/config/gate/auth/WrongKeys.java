package hourglass.config.gate.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows down addresses that send wrong keys. A secret of 256 bits cannot be found by trying, but
 * the attempts would use the server's resources. A valid key is never delayed here. Thread-safe.
 */
final class WrongKeys {
  /**
   * The number of attempts that are answered at once. It is more than a shipper with an old key
   * sends while its operator looks for the new one.
   */
  private static final int AT_ONCE = 100;

  private static final long NANOS_EACH = 1_000_000_000L;

  /**
   * The most answers of one address that wait, each a second longer than the one before. Each
   * occupies a connection and some hundred bytes.
   */
  private static final int WAITING_MAX = 16;

  /** The most addresses that are remembered. A sender with more addresses is not slowed down. */
  private static final int ADDRESSES_MAX = 10_000;

  static final long TOO_MANY = -1;

  private final LongSupplier nanos;

  /** The times at which the attempts of each address are paid off, at one a second. */
  private final Map<Object, Long> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Long> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };

  /** Creates a tracker. {@code nanos} is a steady clock, such as {@link System#nanoTime}. */
  WrongKeys(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Counts a wrong key. Returns the milliseconds until it is answered, or {@link #TOO_MANY}. */
  synchronized long add(Object address) {
    long now = nanos.getAsLong();
    long owed = Math.max(0, byAddress.getOrDefault(address, now) - now) + NANOS_EACH;
    long late = Math.max(0, owed - AT_ONCE * NANOS_EACH);
    if (late > WAITING_MAX * NANOS_EACH) {
      return TOO_MANY;
    }
    byAddress.put(address, now + owed);
    return TimeUnit.NANOSECONDS.toMillis(late);
  }
}
