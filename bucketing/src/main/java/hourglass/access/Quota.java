package hourglass.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** What one client takes of its {@link Limits}. Thread-safe. */
public final class Quota {
  public static final Quota UNLIMITED = new Quota(Limits.NONE, () -> 0, limit -> {});

  /**
   * The longest wait of a push for events or bytes. Refused connections all come back after a
   * second, and take the events of that second at once, ahead of other clients; those that wait
   * take them evenly. A longer wait would hold more memory.
   */
  public static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** One in so many bodies is decoded despite the guess: it may have few, large events. */
  private static final int GUESSES_TRUSTED = 4;

  private static final Turn FREE = () -> {};
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final TokenBucket events;
  private final TokenBucket bytes;
  private final TokenBucket readBytes;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger queries = new AtomicInteger();
  private final AtomicInteger tails = new AtomicInteger();
  private final Consumer<String> onRefused;
  private volatile Limits limits;

  /** As bodies are sent; 0: not known yet. */
  private volatile double eventsPerByte;

  /** By which bodies would have been refused. */
  private final AtomicInteger guesses = new AtomicInteger();

  /** The right to do one thing. Idempotent. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  Quota(Limits limits, LongSupplier nanos, Consumer<String> onRefused) {
    this.onRefused = onRefused;
    this.limits = limits;
    events = new TokenBucket(nanos, SECOND_NANOS);
    bytes = new TokenBucket(nanos, SECOND_NANOS);
    readBytes = new TokenBucket(nanos, MINUTE_NANOS);
  }

  /** What is taken or owed stays so. */
  void limit(Limits now) {
    limits = now;
  }

  /** Whether a new quota would let the same requests pass. */
  boolean isUntouched() {
    return requests.get() == 0
        && tails.get() == 0
        && events.isFull()
        && bytes.isFull()
        && readBytes.isFull();
  }

  /** Each of the methods below throws {@link LimitExceededException}. */
  public Turn push() {
    return turn("requests", limits.requests(), requests);
  }

  /** Also refused while more was read than allowed. */
  public Turn query() {
    checkRead();
    Turn request = turn("requests", limits.requests(), requests);
    try {
      Turn query = turn("queries", limits.queries(), queries);
      return () -> {
        query.close();
        request.close();
      };
    } catch (LimitExceededException e) {
      request.close();
      throw e;
    }
  }

  /** Also refused while more was read than allowed; it counts as no request. */
  public Turn tail() {
    checkRead();
    return turn("tails", limits.tails(), tails);
  }

  /**
   * Before a body is read, which costs nothing then: refuses one whose events would have to wait
   * too long. How many it has is guessed by those that were stored.
   *
   * @param bodyBytes announced; -1 if unknown
   */
  public void checkEvents(long bodyBytes) {
    long most = limits.eventsPerSecond();
    if (most > 0) {
      long likely = (long) (Math.max(0, bodyBytes) * eventsPerByte);
      long waitNanos = events.waitNanos(likely, most);
      if (waitNanos > PATIENCE_NANOS && !isDoubted(most)) {
        throw refusal("events-per-second", most, waitNanos);
      }
    }
  }

  /** Whether a body that the guess refuses is decoded, since a single event need not wait. */
  private boolean isDoubted(long most) {
    return events.waitNanos(1, most) <= PATIENCE_NANOS
        && guesses.incrementAndGet() % GUESSES_TRUSTED == 0;
  }

  /** After the events of a body were stored. */
  public void stored(long count, long bodyBytes) {
    if (limits.eventsPerSecond() > 0 && count > 0 && bodyBytes > 0) {
      double now = (double) count / bodyBytes;
      double before = eventsPerByte;
      // Bodies may differ, packed ones and others: the guess is low rather than high.
      eventsPerByte = before == 0 ? now : Math.min(now, before * 1.1);
    }
  }

  /** Before events are written; refuses those that would have to wait. */
  public void takeEvents(long count) {
    take("events-per-second", events, count, limits.eventsPerSecond(), 0);
  }

  /**
   * Before the events of a request are written. Requests have their turns in the order of calls.
   *
   * @return the nanoseconds until its turn; a fraction of a second at most
   */
  public long reserveEvents(long count) {
    return take("events-per-second", events, count, limits.eventsPerSecond(), PATIENCE_NANOS);
  }

  /** For more events of a request that has begun to be written: never refused, but owed. */
  public void oweEvents(long count) {
    owe(events, count, limits.eventsPerSecond());
  }

  /** Before bytes are read; refuses those that would have to wait. */
  public void takeBytes(long count) {
    take("bytes-per-second", bytes, count, limits.bytesPerSecond(), 0);
  }

  /**
   * For a body that is announced.
   *
   * @return the nanoseconds until it may be read, as for {@link #reserveEvents}
   */
  public long reserveBytes(long count) {
    return take("bytes-per-second", bytes, count, limits.bytesPerSecond(), PATIENCE_NANOS);
  }

  /** For a body whose length was not announced, as it comes in. */
  public void oweBytes(long count) {
    owe(bytes, count, limits.bytesPerSecond());
  }

  /** Bytes of an answer, as they are sent. They are owed: the next query waits. */
  public void read(long count) {
    owe(readBytes, count, limits.readBytesPerMinute());
  }

  private void checkRead() {
    take("read-bytes-per-minute", readBytes, 0, limits.readBytesPerMinute(), 0);
  }

  /** Returns the wait. */
  private long take(String limit, TokenBucket bucket, long count, long most, long patienceNanos) {
    if (most <= 0) {
      return 0;
    }
    long waitNanos = bucket.tryTake(count, most, patienceNanos);
    if (waitNanos > patienceNanos) {
      throw refusal(limit, most, waitNanos);
    }
    return waitNanos;
  }

  private LimitExceededException refusal(String limit, long most, long waitNanos) {
    onRefused.accept(limit);
    return new LimitExceededException(limit, most, waitNanos);
  }

  private static void owe(TokenBucket bucket, long count, long most) {
    if (most > 0) {
      bucket.take(count, most);
    }
  }

  private Turn turn(String limit, int most, AtomicInteger underWay) {
    if (this == UNLIMITED) {
      return FREE; // all threads would count in one place, for nothing
    }
    if (underWay.incrementAndGet() > most && most > 0) {
      underWay.decrementAndGet();
      throw refusal(limit, most, SECOND_NANOS);
    }
    AtomicBoolean over = new AtomicBoolean();
    return () -> {
      if (over.compareAndSet(false, true)) {
        underWay.decrementAndGet();
      }
    };
  }
}
