package hourglass.query.http;

import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one answer, a bounded number. The thread of the query takes and sends them, and the
 * event loop gives them back once they are written.
 */
final class ChunkPool {
  private final QueryOptions options;
  private final AnswerBytes.Account account;
  private final Queue<Chunk> free = new ConcurrentLinkedQueue<>();

  /** The capacity, in bytes, of the chunks that are held or being sent. */
  private final AtomicLong sentBytes = new AtomicLong();

  private int made;

  ChunkPool(QueryOptions options, AnswerBytes.Account account) {
    this.options = options;
    this.account = account;
  }

  /** Returns an empty chunk if one is free or may be made, or else null. */
  @Nullable Chunk take() {
    if (!hasRoom()) {
      return null;
    }
    Chunk chunk = free.poll();
    if (chunk == null && mayMake()) {
      chunk = new Chunk(options.chunkBytes());
      made++;
    }
    return chunk;
  }

  /**
   * Whether one more chunk may be filled. This counts capacity, since a large event makes a chunk
   * grow.
   */
  private boolean hasRoom() {
    return sentBytes.get() < (long) options.chunks() * options.chunkBytes();
  }

  /**
   * Whether one more chunk may be made. No answer works without its first chunk; more chunks make
   * it faster, if there is memory for them.
   */
  private boolean mayMake() {
    if (made == 0) {
      account.take(options.chunkBytes());
      return true;
    }
    return made < options.chunks() && account.tryTake(options.chunkBytes());
  }

  /** Counts a full chunk, which is given back once it is written. */
  void send(Chunk chunk) {
    sentBytes.addAndGet(chunk.bytes().length);
  }

  /** Gives a written chunk back. */
  void giveBack(Chunk chunk) {
    sentBytes.addAndGet(-chunk.bytes().length);
    chunk.clear();
    free.add(chunk);
  }

  /** Releases all memory of the answer but that of its chunks. */
  void releaseRest() {
    account.keep((long) made * options.chunkBytes());
  }
}
