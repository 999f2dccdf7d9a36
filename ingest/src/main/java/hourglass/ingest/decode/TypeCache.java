package hourglass.ingest.decode;

import hourglass.bucketing.EventType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The types of recent events, by their bytes, so that a known type needs no new string. A new type
 * replaces an old one. Not thread-safe.
 */
final class TypeCache {
  // Enough for a large site. Beyond it, an event costs a string.
  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int PROBES = 4;

  /** 2^64 divided by the golden ratio: spreads types over the slots (Fibonacci hashing). */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final @Nullable CachedType[] slots = new CachedType[SLOTS];
  private final TypeRetention retention;

  TypeCache(TypeRetention retention) {
    this.retention = retention;
  }

  /**
   * The type whose UTF-8 is {@code [from, to)}; eight bytes must be readable at each position.
   *
   * @throws IllegalArgumentException if it is not a valid type
   */
  CachedType get(byte[] b, int from, int to) {
    int length = to - from;
    long prefix = Words.prefix(b, from, length);
    long suffix = length > 8 ? Words.at(b, to - 8) : length;
    int home = (int) ((prefix * 31 ^ suffix) * GOLDEN >>> Long.SIZE - SLOT_BITS);
    for (int probe = 0; probe < PROBES; probe++) {
      int slot = home + probe & SLOTS - 1;
      CachedType type = slots[slot];
      if (type == null) {
        return put(slot, prefix, b, from, to);
      }
      if (type.is(prefix, b, from, to)) {
        return type;
      }
    }
    return put(home, prefix, b, from, to);
  }

  private CachedType put(int slot, long prefix, byte[] b, int from, int to) {
    byte[] utf8 = Arrays.copyOfRange(b, from, to);
    String text = EventType.check(new String(utf8, StandardCharsets.UTF_8));
    CachedType type = new CachedType(utf8, prefix, text, retention.of(text));
    slots[slot] = type;
    return type;
  }
}
