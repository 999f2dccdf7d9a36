package hourglass.ingest.decode;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Ticks;
import hourglass.bytes.ByteWords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches recent types by their bytes, so that a known type needs no new string. Not thread-safe.
 */
public final class TypeCache {
  // These slots are enough for a large site. Beyond them, an event costs a string.
  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int PROBES = 4;

  /**
   * The number 2^64 divided by the golden ratio, which spreads types over the slots (Fibonacci
   * hashing).
   */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final @Nullable CachedType[] slots = new CachedType[SLOTS];
  private final Function<String, Duration> retention;

  /** The number of types seen so far, including those that another one displaced. */
  private int seen;

  /** An event type. Immutable. */
  public static final class CachedType {
    public final String text;

    /** The number of the type. The types of a cache are numbered from 0 as they are first seen. */
    public final int number;

    final byte[] utf8;

    /** The time for which the store keeps the type. */
    final Duration kept;

    final long keptTicks;

    private final long prefix;

    private CachedType(byte[] utf8, long prefix, String text, int number, Duration kept) {
      this.number = number;
      this.utf8 = utf8;
      this.prefix = prefix;
      this.text = text;
      this.kept = kept;
      this.keptTicks = kept.toMillis() * Ticks.PER_MILLI;
    }

    /** Returns whether the store still keeps an event of that time. */
    public boolean isKept(long ticks, long nowTicks) {
      return nowTicks - ticks < keptTicks;
    }
  }

  TypeCache(Function<String, Duration> retention) {
    this.retention = retention;
  }

  CachedType get(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return get(Body.padded(utf8), 0, utf8.length);
  }

  /**
   * Returns the type whose UTF-8 is {@code [from, to)}. Eight bytes must be readable at each
   * position.
   *
   * @throws IllegalArgumentException if it is not a valid type
   */
  CachedType get(byte[] b, int from, int to) {
    int length = to - from;
    long prefix = ByteWords.head(b, from, length);
    long suffix = length > 8 ? ByteWords.get(b, to - 8) : length;
    int home = (int) ((prefix * 31 ^ suffix) * GOLDEN >>> Long.SIZE - SLOT_BITS);
    for (int probe = 0; probe < PROBES; probe++) {
      int slot = home + probe & SLOTS - 1;
      CachedType type = slots[slot];
      if (type == null) {
        return put(slot, prefix, b, from, to);
      }
      if (type.prefix == prefix
          && type.utf8.length == length
          && (length <= 8 || Arrays.equals(type.utf8, 8, length, b, from + 8, to))) {
        return type;
      }
    }
    return put(home, prefix, b, from, to);
  }

  private CachedType put(int slot, long prefix, byte[] b, int from, int to) {
    byte[] utf8 = Arrays.copyOfRange(b, from, to);
    String text = EventType.check(new String(utf8, StandardCharsets.UTF_8));
    CachedType type = new CachedType(utf8, prefix, text, seen++, retention.apply(text));
    slots[slot] = type;
    return type;
  }
}
