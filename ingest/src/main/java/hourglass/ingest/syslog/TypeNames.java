package hourglass.ingest.syslog;

import hourglass.bucketing.EventType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keeps types by their bytes, so that a known one needs no new string. Not thread-safe. */
final class TypeNames {
  private static final int SLOTS = 256;

  private final byte[] @Nullable [] keys = new byte[SLOTS][];
  private final @Nullable String[] names = new String[SLOTS];

  /** Returns the type; null where the bytes make none. */
  @Nullable String get(byte[] b, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + b[i];
    }
    int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & SLOTS - 1;
    byte[] key = keys[slot];
    if (key == null || !Arrays.equals(key, 0, key.length, b, from, to)) {
      keys[slot] = Arrays.copyOfRange(b, from, to);
      String name = new String(b, from, to - from, StandardCharsets.UTF_8);
      // Bytes that are no UTF-8 need more bytes as text.
      boolean fits = name.getBytes(StandardCharsets.UTF_8).length <= EventType.BYTES_MAX;
      names[slot] = fits ? name : null;
    }
    return names[slot];
  }
}
