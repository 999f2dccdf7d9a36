package hourglass.config.gate;

import hourglass.access.SharedRoom;
import hourglass.access.SharedRoom.Leaves;

/**
 * The memory of requests under way for what no route has taken yet: long heads, streams of HTTP/2,
 * and bytes of their bodies that wait to be read. A client address may hold as much as is free for
 * all others. The limit of connections bounds the addresses.
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

  private RequestMemory() {}

  public static SharedRoom of(long bytesMax) {
    return new SharedRoom(bytesMax, Leaves.HALF);
  }

  /** A part of the heap. */
  public static SharedRoom ofHeap() {
    return of(Runtime.getRuntime().maxMemory() / HEAP_PART);
  }
}
