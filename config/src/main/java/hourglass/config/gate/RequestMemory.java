package hourglass.config.gate;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory of requests under way for what no route has taken yet: long heads, streams of HTTP/2,
 * and bytes of their bodies that wait to be read. Each client address has a share: it may hold as
 * much as is free for all others. So one alone gets half, and there is always some left for the
 * next. Thread-safe.
 *
 * <p>Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
 * switches", 1998.
 */
public final class RequestMemory {
  /** A head up to this size reserves no memory. The limit of connections bounds such heads. */
  static final int USUAL_BYTES = 4 << 10;

  /** A stream of HTTP/2 with its request, answer and timers, besides the fields of its head. */
  static final int STREAM_BYTES = 8 << 10;

  static final String REFUSAL =
      "the requests of this client that are under way take too much memory; want fewer at a time, or"
          + " shorter heads";

  /** Bodies, queries and the store have limits of their own. */
  private static final int HEAP_PART = 8;

  private final long max;

  // Guarded by this:
  private final Map<String, Long> byClient = new HashMap<>();
  private long held;

  public RequestMemory(long max) {
    this.max = max;
  }

  /** A part of the heap. */
  public static RequestMemory ofHeap() {
    return new RequestMemory(Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  Account open(String client) {
    return new Account(client);
  }

  private synchronized boolean tryTake(String client, long bytes) {
    long mine = byClient.getOrDefault(client, 0L);
    if (mine + bytes > max - held - bytes) {
      return false;
    }
    byClient.put(client, mine + bytes);
    held += bytes;
    return true;
  }

  private synchronized void give(String client, long bytes) {
    held -= bytes;
    byClient.merge(client, -bytes, (mine, given) -> mine + given == 0 ? null : mine + given);
  }

  synchronized long held() {
    return held;
  }

  /** What one connection holds. Used by its event loop. */
  final class Account {
    private final String client;
    private long mine;

    private Account(String client) {
      this.client = client;
    }

    long held() {
      return mine;
    }

    /** False, without a change, if the client holds too much. */
    boolean tryTake(long bytes) {
      boolean taken = RequestMemory.this.tryTake(client, bytes);
      mine += taken ? bytes : 0;
      return taken;
    }

    void give(long bytes) {
      if (bytes > 0 && bytes <= mine) {
        mine -= bytes;
        RequestMemory.this.give(client, bytes);
      }
    }

    void giveAll() {
      give(mine);
    }
  }
}
