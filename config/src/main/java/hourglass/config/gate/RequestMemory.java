package hourglass.config.gate;

import hourglass.access.SharedRoom;
import hourglass.access.SharedRoom.Leaves;

/**
 * Limits the memory of requests under way before a route accepts it: long heads, streams of HTTP/2,
 * and bytes of their bodies that wait to be read. A client address may hold as much as is free for
 * all others. The limit of connections bounds the number of addresses.
 */
public final class RequestMemory {
  /** The size up to which a head reserves no memory. The limit of connections bounds such heads. */
  static final int USUAL_BYTES = 4 << 10;

  /**
   * The memory of a stream of HTTP/2 with its request, answer and timers, besides the fields of its
   * head.
   */
  static final int STREAM_BYTES = 8 << 10;

  /** The memory of a pipelined request of HTTP/1, besides its head, until its turn comes. */
  static final int PIPELINED_BYTES = 2 << 10;

  static final String REFUSAL =
      "the requests of this client that are under way take too much memory; want fewer at a time, or"
          + " shorter heads";

  /**
   * The divisor of the heap. The rest is for bodies, queries and the store, which have their own
   * limits.
   */
  private static final int HEAP_PART = 8;

  private RequestMemory() {}

  public static SharedRoom of(long bytesMax) {
    return new SharedRoom(bytesMax, Leaves.HALF);
  }

  /** Returns a room of one eighth of the heap. */
  public static SharedRoom ofHeap() {
    return of(Runtime.getRuntime().maxMemory() / HEAP_PART);
  }
}
