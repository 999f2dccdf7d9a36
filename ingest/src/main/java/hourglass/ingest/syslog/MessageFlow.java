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
  private final BatchPump<ClientBatch> pump;
  private final Runnable onRoom;
  private final Runnable onStored;
  private volatile Client client;

  // The lock of this object guards all fields below.
  private final UndividedBytes bytes;
  private Rest rest = Rest.MORE;
  private Work work = Work.IDLE;

  /** The number of batches that have begun and whose end is not noted. */
  private int writes;

  private boolean isTimed;

  /** The work of dividing chunks into messages. */
  private enum Work {
    IDLE,
    CONVERTING,
    /** There was no room for a batch, and none is begun for a while. */
    PAUSED,
    OVER
  }

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
    this.bytes =
        new UndividedBytes(store.bytes.holding(), transport == Transport.UDP ? 0 : CHUNK_BYTES_MAX);
    this.pump = store.pump();
    this.framer =
        transport == Transport.UDP
            ? MessageFramer.ofDatagrams(store.messageBytesMax())
            : MessageFramer.ofStream(store.messageBytesMax());
    store.flows.add(this);
  }

  /**
   * Reserves the room of a first chunk. Returns false if there is none, and nothing may be read.
   */
  synchronized boolean begin() {
    bytes.reserve();
    return !bytes.isFull();
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
    boolean hasRoom = bytes.add(chunk);
    advance();
    return hasRoom;
  }

  /** Adds bytes if there is room; else returns false, with no change. */
  synchronized boolean tryAdd(ByteBuffer chunk) {
    boolean isAdded = bytes.tryAdd(chunk);
    if (isAdded) {
      advance();
    }
    return isAdded;
  }

  /** Notes that the source has sent nothing for a while. */
  synchronized void quiet() {
    if (rest == Rest.MORE && bytes.isInsideMessage() && bytes.waitingBytes() == 0) {
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
    return bytes.total();
  }

  private synchronized boolean isInsideMessage() {
    return bytes.isInsideMessage() && isAtRest();
  }

  /** Returns whether no work is under way that would free memory. */
  private synchronized boolean isAtRest() {
    return bytes.isDivided() && writes == 0 && work != Work.CONVERTING;
  }

  /** Begins the next batch, if it is time. */
  private void advance() {
    if (work != Work.IDLE) {
      return;
    }
    if (rest == Rest.END && bytes.isDivided() && bytes.total() == 0) {
      finish();
      return;
    }
    boolean isUrgent = bytes.isUrgent() || rest != Rest.MORE;
    if (!pump.hasRoom(isUrgent)) {
      return;
    }
    if (isUrgent) {
      work = store.run(this::convert) ? Work.CONVERTING : Work.IDLE;
    } else if (bytes.waitingBytes() > 0 && !isTimed) {
      isTimed = true;
      store.later(COLLECT_MILLIS, this::due);
    }
  }

  private void finish() {
    if (writes == 0) {
      work = Work.OVER;
      bytes.release();
      store.flows.remove(this);
      onStored.run();
    }
  }

  private synchronized void due() {
    isTimed = false;
    bytes.waited();
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
      long waiting = bytes.waitingBytes();
      store.limited(client).quota().takeBytes(waiting);
      chunks = bytes.take();
      now = rest == Rest.QUIET && waiting > 0 ? Rest.MORE : rest;
      rest = rest == Rest.END ? Rest.END : Rest.MORE;
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
    step(
        () -> {
          writes--;
          bytes.waited(); // while this write was under way
          advance();
        });
  }

  /** Ends the making of a batch. If there was no room for it, none is begun for a while. */
  private void converted(boolean isLast, boolean more, long pauseMillis) {
    step(
        () -> {
          bytes.framed(isLast ? 0 : framer.held(), more); // at the end, the rest is no message
          if (bytes.total() == 0) {
            framer.trim();
          }
          work = pauseMillis > 0 ? Work.PAUSED : Work.IDLE;
          if (pauseMillis > 0) {
            store.pause(pauseMillis, this::resume);
          }
          advance();
        });
  }

  private void resume() {
    step(
        () -> {
          work = Work.IDLE;
          advance();
        });
  }

  /** Asks again for memory that was not there. */
  void retryRoom() {
    step(bytes::reserve);
  }

  /**
   * Takes a step under the lock. Afterwards tells the source, without it, if there is room again.
   */
  private void step(Runnable change) {
    boolean hasRoom;
    synchronized (this) {
      change.run();
      hasRoom = bytes.hasRoomAgain();
    }
    if (hasRoom) {
      onRoom.run();
    }
  }
}
