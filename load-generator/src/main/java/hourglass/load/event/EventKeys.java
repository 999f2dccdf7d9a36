package hourglass.load.event;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Computes the first half of an event's digest, from type, time and identity. The lowest bit is set
 * if the event has an identity: all events with such a key are one event. Not thread-safe.
 */
public final class EventKeys {
  private static final XXHash64 XXH64 = XXHashFactory.fastestJavaInstance().hash64();
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final boolean timed;
  private final Map<String, Long> typeDigests = new HashMap<>();

  /**
   * Creates a digest.
   *
   * @param timed false if some event got its time from the target, so that times are left out
   */
  public EventKeys(boolean timed) {
    this.timed = timed;
  }

  public long key(String type, long ticks, String identity) {
    long digest = typeDigests.computeIfAbsent(type, EventKeys::digest);
    if (timed) {
      digest = mix(digest * GOLDEN + ticks);
    }
    return identity.isEmpty() ? digest & ~1L : mix(digest * GOLDEN + digest(identity)) | 1;
  }

  public static boolean hasIdentity(long key) {
    return (key & 1) == 1;
  }

  /** Returns the XXH64 with seed 0 of [from, to). */
  public static long digest(byte[] bytes, int from, int to) {
    return XXH64.hash(bytes, from, to - from, 0);
  }

  private static long digest(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return digest(bytes, 0, bytes.length);
  }

  /** Applies the last step of XXH64. */
  private static long mix(long value) {
    long hash = (value ^ value >>> 33) * 0xC2B2AE3D27D4EB4FL;
    hash = (hash ^ hash >>> 29) * 0x165667B19E3779F9L;
    return hash ^ hash >>> 32;
  }
}
