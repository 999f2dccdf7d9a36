package hourglass.ingest;

import hourglass.bucketing.EventType;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The types seen lately, found by their bytes, so that an event of a known type makes no string. A
 * new type takes the place of an old one. Not thread-safe.
 */
final class TypeCache {
  // Enough for the types of a large site; beyond it a type costs a string an event.
  private static final int SLOTS = 1024;
  private static final int PROBES = 4;

  private final @Nullable CachedType[] slots = new CachedType[SLOTS];
  private final Retention retention;

  TypeCache(Retention retention) {
    this.retention = retention;
  }

  /** A type, and what the batch at hand knows of it. */
  static final class CachedType {
    private final byte[] utf8;
    private final String text;
    private final @Nullable Duration kept;

    /** The row that took the type's last event; null between batches. */
    BatchBuilder.@Nullable Row lastRow;

    /** How much the last batch had of the type. */
    int columnsHint = 16;

    int bytesHint = 4096;

    private CachedType(byte[] utf8, String text, @Nullable Duration kept) {
      this.utf8 = utf8;
      this.text = text;
      this.kept = kept;
    }

    /** How long the store keeps the type; null for ever. */
    @Nullable Duration kept() {
      return kept;
    }

    byte[] utf8() {
      return utf8;
    }

    String text() {
      return text;
    }
  }

  /**
   * The type whose UTF-8 is {@code [from, to)}.
   *
   * @throws IllegalArgumentException if that is not a type
   */
  CachedType get(byte[] b, int from, int to) {
    int home = hash(b, from, to) & SLOTS - 1;
    for (int probe = 0; probe < PROBES; probe++) {
      CachedType type = slots[home + probe & SLOTS - 1];
      if (type == null) {
        return put(home + probe, b, from, to);
      }
      if (Arrays.equals(type.utf8, 0, type.utf8.length, b, from, to)) {
        return type;
      }
    }
    return put(home, b, from, to);
  }

  private CachedType put(int slot, byte[] b, int from, int to) {
    byte[] utf8 = Arrays.copyOfRange(b, from, to);
    String text = new String(utf8, java.nio.charset.StandardCharsets.UTF_8);
    CachedType type = new CachedType(utf8, EventType.check(text), retention.of(text));
    slots[slot & SLOTS - 1] = type;
    return type;
  }

  private static int hash(byte[] b, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + b[i];
    }
    return hash ^ hash >>> 10;
  }
}
