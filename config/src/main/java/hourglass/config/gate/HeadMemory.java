package hourglass.config.gate;

import hourglass.access.SharedRoom;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reserves memory for the requests of one HTTP/1 connection: for the head that is arriving, and for
 * all that wait for the end of their answers. Used by one event loop.
 */
final class HeadMemory {
  private final SharedRoom.Account account;

  /** The bytes of the heads without an answer, the oldest first. */
  private final Deque<Long> unanswered = new ArrayDeque<>(1);

  private long unansweredBytes;
  private long arrivingBytes;
  private long reserved;

  /** Creates the memory; nothing else uses the account, and the caller closes it. */
  HeadMemory(SharedRoom.Account account) {
    this.account = account;
  }

  /**
   * Reserves memory for the bytes of a head, or of a line within a body, that have arrived. They
   * take the place of those of the last call. Throws {@link RefusedRequest} if the client has no
   * memory left.
   */
  void keepArriving(long bytes) {
    arrivingBytes = bytes;
    if (!reserve()) {
      arrivingBytes = 0; // the head is refused, and answers under way need no more than before
      throw refusal();
    }
  }

  /**
   * Notes that a head of this length is whole, and that no bytes are arriving. Throws {@link
   * RefusedRequest} if the client has no memory left; the head is then not to be answered.
   */
  void endHead(long bytes) {
    arrivingBytes = 0;
    unanswered.addLast(bytes);
    unansweredBytes += bytes;
    if (!reserve()) {
      unanswered.removeLast();
      unansweredBytes -= bytes;
      throw refusal();
    }
  }

  /** Notes the end of the oldest answer. Does nothing after that of a head that was refused. */
  void endAnswer() {
    Long bytes = unanswered.poll();
    if (bytes != null) {
      unansweredBytes -= bytes;
      reserve(); // less than before, so it succeeds
    }
  }

  private static RefusedRequest refusal() {
    return new RefusedRequest(429, RequestMemory.REFUSAL);
  }

  /**
   * Adapts the reservation, in steps; a single request of usual size reserves nothing. Returns
   * false, and keeps the reservation, if the client has no memory left.
   */
  private boolean reserve() {
    long pipelined = Math.max(0, unanswered.size() - 1);
    long bytes = arrivingBytes + unansweredBytes + pipelined * RequestMemory.PIPELINED_BYTES;
    long steps = (bytes + RequestMemory.USUAL_BYTES - 1) / RequestMemory.USUAL_BYTES;
    long wanted = steps > 1 ? steps * RequestMemory.USUAL_BYTES : 0;
    if (wanted > reserved && !account.tryTake(wanted - reserved)) {
      return false;
    }
    if (wanted < reserved) {
      account.give(reserved - wanted);
    }
    reserved = wanted;
    return true;
  }
}
