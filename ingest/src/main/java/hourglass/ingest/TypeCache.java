package hourglass.ingest;

import hourglass.bucketing.EventType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The types seen lately, found by their bytes, so that an event of a known type makes no string. A
 * new type takes the place of an old one. Not thread-safe.
 */
final class TypeCache {
  // Enough for the types of a large site; beyond it a type costs a string an event.
  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int PROBES = 4;

  /** 2^64 divided by the golden ratio: spreads types over the slots (Fibonacci hashing). */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final @Nullable CachedType[] slots = new CachedType[SLOTS];
  private final Retention retention;

  TypeCache(Retention retention) {
    this.retention = retention;
  }

  /** A type, and what the batch at hand knows of it. */
  static final class CachedType {
    private final byte[] utf8;
    private final long prefix;
    private final String text;
    private final @Nullable Duration kept;

    /** The row that took the type's last event; null between batches. */
    BatchBuilder.@Nullable Row lastRow;

    /** How much the last batch had of the type; of a new type, most come once. */
    int columnsHint = 1;

    int bytesHint;

    private CachedType(byte[] utf8, long prefix, String text, @Nullable Duration kept) {
      this.utf8 = utf8;
      this.prefix = prefix;
      this.text = text;
      this.kept = kept;
    }

    /** How long the store keeps the type; null for ever. */
    @Nullable Duration kept() {
      return kept;
    }

    /** Whether {@code [from, to)} is this type, given that it has its prefix. */
    private boolean isRest(byte[] b, int from, int to) {
      int length = to - from;
      return utf8.length == length
          && (length <= 8 || Arrays.equals(utf8, 8, length, b, from + 8, to));
    }

    byte[] utf8() {
      return utf8;
    }

    String text() {
      return text;
    }
  }

  /**
   * The type whose UTF-8 is {@code [from, to)}; eight bytes can be read from each position.
   *
   * @throws IllegalArgumentException if that is not a type
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
      if (type.prefix == prefix && type.isRest(b, from, to)) {
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
