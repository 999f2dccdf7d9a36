package hourglass.config.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down addresses that show wrong keys. Nobody finds a secret of 256 bits by trying; this
 * keeps those who try from using the server up. A right key never passes here. Thread-safe.
 */
final class WrongKeys {
  /** More than a shipper with an old key sends while its operator looks for the new one. */
  private static final int AT_ONCE = 100;

  private static final long NANOS_EACH = 1_000_000_000L;

  /** Answers of one address that wait; a connection and some hundred bytes each. */
  private static final int WAITING_MAX = 16;

  /** Who has as many addresses is not slowed down by address. */
  private static final int ADDRESSES_MAX = 10_000;

  enum Answer {
    NOW,
    LATER,
    TOO_MANY
  }

  private static final class Tries {
    /** When the tries so far are paid for, one a second. */
    private long paidNanos;

    private int waiting;

    private Tries(long nowNanos) {
      paidNanos = nowNanos;
    }
  }

  private final LongSupplier nanos;
  private final Map<Object, Tries> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Tries> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };

  /** Takes a steady clock, such as {@link System#nanoTime}. */
  WrongKeys(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** How to answer a wrong key. Each LATER ends with {@link #answered}. */
  synchronized Answer add(Object address) {
    long now = nanos.getAsLong();
    Tries tries = byAddress.computeIfAbsent(address, any -> new Tries(now));
    if (tries.paidNanos - now < 0) {
      tries.paidNanos = now;
    }
    if (tries.paidNanos - now < AT_ONCE * NANOS_EACH) {
      tries.paidNanos += NANOS_EACH;
      return Answer.NOW;
    }
    if (tries.waiting >= WAITING_MAX) {
      return Answer.TOO_MANY;
    }
    tries.waiting++;
    return Answer.LATER;
  }

  synchronized void answered(Object address) {
    Tries tries = byAddress.get(address);
    if (tries != null) {
      tries.waiting = Math.max(0, tries.waiting - 1);
    }
  }
}
