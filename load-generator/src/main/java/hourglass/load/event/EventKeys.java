package hourglass.load.event;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The first half of an event's digest: its type, its time, and its identity if it has one. The
 * lowest bit marks an identity: then all events of one key are one event. Not for several threads.
 */
public final class EventKeys {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final boolean timed;
  private final Map<String, Long> typeDigests = new HashMap<>();

  /**
   * @param timed false: times are left out, because some event got its time from the target
   */
  public EventKeys(boolean timed) {
    this.timed = timed;
  }

  public long key(String type, long ticks, String identity) {
    long digest = typeDigests.computeIfAbsent(type, EventKeys::digest);
    if (timed) {
      digest = Digest64.avalanche(digest * GOLDEN + ticks);
    }
    return identity.isEmpty()
        ? digest & ~1L
        : Digest64.avalanche(digest * GOLDEN + digest(identity)) | 1;
  }

  public static boolean hasIdentity(long key) {
    return (key & 1) == 1;
  }

  private static long digest(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Digest64.of(bytes, 0, bytes.length);
  }
}
