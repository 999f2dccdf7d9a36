package hourglass.ingest.syslog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a flow that are in no batch yet, and the memory that is reserved for them: chunks
 * that wait, and the rest that the framer contains. The lock of the flow guards it.
 */
final class UndividedBytes {
  /** The bytes of waiting chunks at which a source waits. */
  private static final int WAITING_BYTES_MAX = 1 << 20;

  /** The bytes of chunks that need not wait for others. */
  private static final int BATCH_BYTES = 256 << 10;

  private final HeldMemory.Holding memory;

  /** The bytes that are reserved for the next chunk, before it is read. */
  private final int nextBytes;

  private List<ByteBuffer> waiting = new ArrayList<>();
  private long waitingBytes;

  /** The bytes that the framer contained after the last batch. */
  private long framedBytes;

  /** Whether the framer contains messages that did not fit the last batch. */
  private boolean hasMore;

  /** Whether the chunks have waited long enough for others. */
  private boolean isDue;

  private long reservedBytes;
  private boolean wasFull;

  /** Creates bytes of a flow whose next chunk needs {@code nextBytes}; 0 if it need not wait. */
  UndividedBytes(HeldMemory.Holding memory, int nextBytes) {
    this.memory = memory;
    this.nextBytes = nextBytes;
  }

  /** Adds a chunk that was read. Returns false if no more should be read for now. */
  boolean add(ByteBuffer chunk) {
    waiting.add(chunk);
    waitingBytes += chunk.remaining();
    reserve();
    wasFull = isFull();
    return !wasFull;
  }

  /** Adds a chunk if there is room; else returns false, with no change. */
  boolean tryAdd(ByteBuffer chunk) {
    int length = chunk.remaining();
    if (waitingBytes + length > WAITING_BYTES_MAX || !memory.add(2L * length)) {
      return false;
    }
    reservedBytes += 2L * length;
    waiting.add(chunk);
    waitingBytes += length;
    return true;
  }

  long waitingBytes() {
    return waitingBytes;
  }

  /** Returns whether a message has begun whose rest may follow. */
  boolean isInsideMessage() {
    return framedBytes > 0;
  }

  long total() {
    return waitingBytes + framedBytes;
  }

  /** Returns whether the messages that are whole are in batches. */
  boolean isDivided() {
    return waitingBytes == 0 && !hasMore;
  }

  /** Notes that the chunks, if there are some, have waited long enough for others. */
  void waited() {
    isDue = waitingBytes > 0;
  }

  /** Returns whether a batch should be made without waiting for more chunks. */
  boolean isUrgent() {
    return hasMore || isDue || waitingBytes >= BATCH_BYTES;
  }

  /** Returns the chunks that wait, which the framer contains from now on. */
  List<ByteBuffer> take() {
    List<ByteBuffer> chunks = waiting;
    waiting = new ArrayList<>();
    framedBytes += waitingBytes;
    waitingBytes = 0;
    isDue = false;
    return chunks;
  }

  /** Notes how many bytes the framer contains after a batch, and whether they are messages. */
  void framed(long bytes, boolean more) {
    framedBytes = bytes;
    hasMore = more;
    reserve();
  }

  boolean isFull() {
    return waitingBytes >= WAITING_BYTES_MAX || reservedBytes < wantedBytes();
  }

  /** Returns whether there is room, and was none when the last chunk was added; true once. */
  boolean hasRoomAgain() {
    boolean again = wasFull && !isFull();
    wasFull &= !again;
    return again;
  }

  /** Returns the bytes to reserve: each chunk with its copy in the framer, and the next chunk. */
  private long wantedBytes() {
    return 2 * (waitingBytes + framedBytes) + nextBytes;
  }

  /** Reserves the memory of all bytes, as far as there is some. */
  void reserve() {
    long more = wantedBytes() - reservedBytes;
    if (more < 0) {
      memory.subtract(-more);
      reservedBytes += more;
    } else if (more > 0 && memory.add(more)) {
      reservedBytes += more;
    }
  }

  void release() {
    memory.release();
  }
}
