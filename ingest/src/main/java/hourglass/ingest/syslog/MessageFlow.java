package hourglass.ingest.syslog;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.stream.BatchPump;
import hourglass.ingest.stream.ClientBatch;
import hourglass.ingest.syslog.MessageFramer.Rest;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import hourglass.store.OverloadedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of one connection or socket on their way into the store. Thread-safe.
 *
 * <pre>
 * chunks -> framer -> messages -> a batch -> the store, until it takes it
 * </pre>
 *
 * <p>One worker at a time divides the chunks and makes a batch. While writes are under way, chunks
 * collect, so writes grow with the load. All bytes that are added are stored, however long that
 * lasts.
 */
final class MessageFlow {
  private static final Logger logger = LoggerFactory.getLogger(MessageFlow.class);

  /** The bytes of chunks that need not wait for others. */
  private static final int BATCH_BYTES = 256 << 10;

  /** The bytes of waiting chunks at which a source waits. */
  static final int WAITING_BYTES_MAX = 1 << 20;

  /** The largest chunk of a connection. Room for the next one is reserved before it is read. */
  static final int CHUNK_BYTES_MAX = 16 << 10;

  // These bound a batch, below the limit of one write.
  private static final int EVENTS_MAX = 20_000;
  private static final int EVENT_BYTES_MAX = 4 << 20;

  /** The time for which chunks of a quiet source wait for others. A write to disk lasts as long. */
  private static final long COLLECT_MILLIS = 4;

  /** The pause until memory may be free. */
  private static final long SHORTAGE_MILLIS = 50;

  private final MessageStore store;
  private final Transport transport;
  private final MessageFramer framer;
  private final HeldMemory.Holding memory;
  private final BatchPump<ClientBatch> pump;
  private final Runnable onRoom;
  private final Runnable onStored;
  private volatile Client client;

  // The lock of this object guards all fields below.
  private List<ByteBuffer> waiting = new ArrayList<>();
  private long waitingBytes;

  /** The bytes that the framer contained after the last batch. */
  private long framedBytes;

  private long reservedBytes;
  private Rest rest = Rest.MORE;

  /** The number of batches that have begun and whose end is not noted. */
  private int writes;

  private boolean isConverting;

  /** Whether the framer contains messages that did not fit the last batch. */
  private boolean hasMore;

  private boolean isTimed;
  private boolean isDue;
  private boolean isBlocked;
  private boolean wasFull;
  private boolean isOver;

  /**
   * Begins to store.
   *
   * @param onRoom runs, on any thread, when {@link #add} has returned false and would now return
   *     true
   * @param onStored runs, on any thread, when all is stored after {@link #end}
   */
  MessageFlow(
      MessageStore store, Transport transport, Client client, Runnable onRoom, Runnable onStored) {
    this.store = store;
    this.transport = transport;
    this.client = client;
    this.onRoom = onRoom;
    this.onStored = onStored;
    this.memory = store.bytes.holding();
    this.pump = store.pump();
    this.framer =
        transport == Transport.UDP
            ? MessageFramer.ofDatagrams(store.messageBytesMax)
            : MessageFramer.ofStream(store.messageBytesMax);
    store.flows.add(this);
  }

  /**
   * Reserves the room of a first chunk. Returns false if there is none, and nothing may be read.
   */
  synchronized boolean begin() {
    reserve();
    return !isFull();
  }

  Client client() {
    return client;
  }

  /** Sets the rights of the sender, which have changed. */
  void setClient(Client now) {
    client = now;
  }

  /** Adds bytes that were read. Returns false if no more should be read for now. */
  synchronized boolean add(ByteBuffer chunk) {
    waiting.add(chunk);
    waitingBytes += chunk.remaining();
    reserve();
    wasFull = isFull();
    advance();
    return !wasFull;
  }

  /** Adds bytes if there is room; else returns false, with no change. */
  synchronized boolean tryAdd(ByteBuffer chunk) {
    int length = chunk.remaining();
    if (waitingBytes + length > WAITING_BYTES_MAX || !memory.add(2L * length)) {
      return false;
    }
    reservedBytes += 2L * length;
    waiting.add(chunk);
    waitingBytes += length;
    advance();
    return true;
  }

  /** Notes that the source has sent nothing for a while. */
  synchronized void quiet() {
    if (rest == Rest.MORE && framedBytes > 0 && waitingBytes == 0) {
      rest = Rest.QUIET;
      advance();
    }
  }

  /** Ends the flow: no more bytes will be added. */
  synchronized void end() {
    rest = Rest.END;
    advance();
  }

  /**
   * Returns whether the rest of a message is missing, and only its sender could send it. A source
   * that may not send is not at fault, unless rests of messages hold all the memory for which it
   * waits.
   */
  boolean isStuck(boolean maySend) {
    return isInsideMessage() && (maySend || store.flows.stream().allMatch(MessageFlow::isAtRest));
  }

  /** Returns the bytes that were read and are in no batch. */
  synchronized long undividedBytes() {
    return waitingBytes + framedBytes;
  }

  private synchronized boolean isInsideMessage() {
    return framedBytes > 0 && isAtRest();
  }

  /** Returns whether no work is under way that would free memory. */
  private synchronized boolean isAtRest() {
    return waitingBytes == 0 && writes == 0 && !isConverting && !hasMore;
  }

  private boolean isFull() {
    return waitingBytes >= WAITING_BYTES_MAX || reservedBytes < wantedBytes();
  }

  /**
   * Returns the bytes to reserve: each chunk with its copy in the framer, and the next chunk of a
   * connection.
   */
  private long wantedBytes() {
    long next = transport == Transport.UDP ? 0 : CHUNK_BYTES_MAX;
    return 2 * (waitingBytes + framedBytes) + next;
  }

  private void reserve() {
    long more = wantedBytes() - reservedBytes;
    if (more < 0) {
      memory.subtract(-more);
      reservedBytes += more;
    } else if (more > 0 && memory.add(more)) {
      reservedBytes += more;
    }
  }

  /** Begins the next batch, if it is time. */
  private void advance() {
    if (isConverting || isBlocked || isOver) {
      return;
    }
    if (rest == Rest.END && waitingBytes == 0 && !hasMore && framedBytes == 0) {
      finish();
      return;
    }
    boolean isUrgent = hasMore || isDue || rest != Rest.MORE || waitingBytes >= BATCH_BYTES;
    if (!pump.hasRoom(isUrgent)) {
      return;
    }
    if (isUrgent) {
      isConverting = store.run(this::convert);
    } else if (waitingBytes > 0 && !isTimed) {
      isTimed = true;
      store.later(COLLECT_MILLIS, this::due);
    }
  }

  private void finish() {
    if (writes == 0) {
      isOver = true;
      memory.release();
      store.flows.remove(this);
      onStored.run();
    }
  }

  private synchronized void due() {
    isTimed = false;
    isDue = waitingBytes > 0;
    advance();
  }

  /** Makes and writes a batch. Runs on a worker, one at a time. */
  private void convert() {
    boolean isShort = true;
    boolean more = true;
    long pauseMillis = SHORTAGE_MILLIS;
    Rest now = Rest.MORE;
    try {
      now = take();
      HeldMemory.Holding batch = store.batches.holding();
      ConvertedEvents events = null;
      try {
        events = store.events(batch, framer.held() + framer.held() / 2);
        more = fill(events, now);
        isShort = false;
      } catch (OverloadedException e) {
        logger.debug("no memory for more messages", e);
      }
      if (events == null || events.size() == 0) {
        batch.release();
      } else {
        write(events, batch);
      }
    } catch (LimitExceededException e) {
      pauseMillis = MessageStore.millisOf(e);
    } finally {
      converted(!more && now == Rest.END, more, isShort ? pauseMillis : 0);
    }
  }

  /** Moves the chunks into the framer. Throws LimitExceededException, with nothing moved. */
  private Rest take() {
    List<ByteBuffer> chunks;
    Rest now;
    synchronized (this) {
      store.limited(client).quota().takeBytes(waitingBytes);
      chunks = waiting;
      waiting = new ArrayList<>();
      framedBytes += waitingBytes;
      now = rest == Rest.QUIET && waitingBytes > 0 ? Rest.MORE : rest;
      rest = rest == Rest.END ? Rest.END : Rest.MORE;
      waitingBytes = 0;
      isDue = false;
    }
    chunks.forEach(framer::add);
    return now;
  }

  /**
   * Fills a batch, and returns whether there may be more messages. Throws where memory is short,
   * between two messages.
   */
  private boolean fill(ConvertedEvents events, Rest now) {
    MessageParser parser = store.parser();
    int cut = 0;
    try {
      while (events.size() < EVENTS_MAX && events.bytes() < EVENT_BYTES_MAX) {
        if (!framer.next(now)) {
          return false;
        }
        try {
          boolean isCut =
              parser.parse(
                  framer.bytes(), framer.from(), framer.to(), framer.isTruncated(), events);
          cut += isCut ? 1 : 0;
        } catch (OverloadedException e) {
          events.discard();
          framer.back();
          throw e;
        } catch (RuntimeException e) { // the others must not wait for it for ever
          events.discard();
          logger.error("a message could not be read, and is left out", e);
        }
      }
      return true;
    } finally {
      store.meters.truncated.increment(cut);
    }
  }

  private void write(ConvertedEvents events, HeldMemory.Holding batch) {
    synchronized (this) {
      writes++;
    }
    int messages = events.size();
    pump.add(
        store.receive(
            events,
            client,
            () -> {
              batch.release();
              store.meters.messages(transport, messages);
              written();
            }));
  }

  private void written() {
    boolean hasRoom;
    synchronized (this) {
      writes--;
      isDue = waitingBytes > 0; // it collected while this write was under way
      advance();
      hasRoom = hasRoomAgain();
    }
    if (hasRoom) {
      onRoom.run();
    }
  }

  /** Ends the making of a batch. If there was no room for it, none is begun for a while. */
  private void converted(boolean isLast, boolean more, long pauseMillis) {
    boolean hasRoom;
    synchronized (this) {
      isConverting = false;
      hasMore = more;
      framedBytes = isLast ? 0 : framer.held(); // at the end, what is left is no message
      if (framedBytes == 0 && waitingBytes == 0) {
        framer.trim();
      }
      reserve();
      isBlocked = pauseMillis > 0;
      if (isBlocked) {
        store.pause(pauseMillis, this::unblock);
      }
      advance();
      hasRoom = hasRoomAgain();
    }
    if (hasRoom) {
      onRoom.run();
    }
  }

  private void unblock() {
    boolean hasRoom;
    synchronized (this) {
      isBlocked = false;
      advance();
      hasRoom = hasRoomAgain();
    }
    if (hasRoom) {
      onRoom.run();
    }
  }

  /** Asks again for memory that was not there. */
  void retryRoom() {
    boolean hasRoom;
    synchronized (this) {
      reserve();
      hasRoom = hasRoomAgain();
    }
    if (hasRoom) {
      onRoom.run();
    }
  }

  private boolean hasRoomAgain() {
    boolean again = wasFull && !isFull();
    wasFull &= !again;
    return again;
  }
}
