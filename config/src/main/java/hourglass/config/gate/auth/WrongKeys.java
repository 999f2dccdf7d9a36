package hourglass.config.gate.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows down addresses that show wrong keys. A secret of 256 bits cannot be found by trying; this
 * keeps those who try from using the server up. A right key never passes here. Thread-safe.
 */
final class WrongKeys {
  /** More than a shipper with an old key sends while its operator looks for the new one. */
  private static final int AT_ONCE = 100;

  private static final long NANOS_EACH = 1_000_000_000L;

  /**
   * Answers of one address that wait, each a second longer; a connection and some hundred bytes.
   */
  private static final int WAITING_MAX = 16;

  /** Who has as many addresses is not slowed down by address. */
  private static final int ADDRESSES_MAX = 10_000;

  static final long TOO_MANY = -1;

  private final LongSupplier nanos;

  /** When the tries of an address are paid for, one a second. */
  private final Map<Object, Long> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Long> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };

  /** Takes a steady clock, such as {@link System#nanoTime}. */
  WrongKeys(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** In how many milliseconds a wrong key is answered, or {@link #TOO_MANY}. */
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
