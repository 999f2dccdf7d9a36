package hourglass.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The part of its {@link Limits} that one client uses. Thread-safe. */
public final class Quota {
  public static final Quota UNLIMITED = new Quota(Limits.NONE, () -> 0, limit -> {});

  /**
   * The longest wait of a push for events or bytes. Refused connections all return after a second,
   * and use up the events of that second at once, ahead of other clients; those that wait use them
   * evenly. A longer wait would hold more memory.
   */
  public static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /**
   * One of this many refused bodies is decoded despite the guess: it may contain few, large events.
   */
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

  /** The guess of the events in a byte of a body, as bodies are sent; 0 if not known yet. */
  private volatile double eventsPerByte;

  /** The number of bodies that the guess alone would refuse. */
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

  /** Changes the limits. Places and tokens already in use, and debts, stay as they are. */
  void limit(Limits now) {
    limits = now;
  }

  /** Returns whether a new quota would let the same requests pass. */
  boolean isUntouched() {
    return requests.get() == 0
        && tails.get() == 0
        && events.isFull()
        && bytes.isFull()
        && readBytes.isFull();
  }

  /** Begins a push. This method and those below throw {@link LimitExceededException}. */
  public Turn push() {
    return turn("requests", limits.requests(), requests);
  }

  /** Begins a query. It is refused while more was read than allowed. */
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

  /** Begins a tail, which counts as no request. It is refused while more was read than allowed. */
  public Turn tail() {
    checkRead();
    return turn("tails", limits.tails(), tails);
  }

  /**
   * Refuses a body whose events would have to wait too long. It is called before the body is read,
   * so that a refusal costs nothing. The number of its events is guessed from the bodies that were
   * stored.
   *
   * @param bodyBytes the announced length; -1 if unknown
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

  /**
   * Returns whether a body that the guess refuses is decoded, since a single event need not wait.
   */
  private boolean isDoubted(long most) {
    return events.waitNanos(1, most) <= PATIENCE_NANOS
        && guesses.incrementAndGet() % GUESSES_TRUSTED == 0;
  }

  /** Updates the guess. It is called after the events of a body were stored. */
  public void stored(long count, long bodyBytes) {
    if (limits.eventsPerSecond() > 0 && count > 0 && bodyBytes > 0) {
      double now = (double) count / bodyBytes;
      double before = eventsPerByte;
      // Bodies differ, compressed ones and others, so the guess is low rather than high.
      eventsPerByte = before == 0 ? now : Math.min(now, before * 1.1);
    }
  }

  /** Takes events before they are written; refuses those that would have to wait. */
  public void takeEvents(long count) {
    take("events-per-second", events, count, limits.eventsPerSecond(), 0);
  }

  /**
   * Reserves the events of a request before they are written. Requests get their turns in the order
   * of calls.
   *
   * @return the nanoseconds until its turn; a fraction of a second at most
   */
  public long reserveEvents(long count) {
    return take("events-per-second", events, count, limits.eventsPerSecond(), PATIENCE_NANOS);
  }

  /** Owes more events of a request whose writes have begun. They are never refused. */
  public void oweEvents(long count) {
    owe(events, count, limits.eventsPerSecond());
  }

  /** Takes bytes before they are read; refuses those that would have to wait. */
  public void takeBytes(long count) {
    take("bytes-per-second", bytes, count, limits.bytesPerSecond(), 0);
  }

  /**
   * Reserves the bytes of a body whose length was announced.
   *
   * @return the nanoseconds until it may be read, as for {@link #reserveEvents}
   */
  public long reserveBytes(long count) {
    return take("bytes-per-second", bytes, count, limits.bytesPerSecond(), PATIENCE_NANOS);
  }

  /** Owes the bytes of a body without an announced length, while they arrive. */
  public void oweBytes(long count) {
    owe(bytes, count, limits.bytesPerSecond());
  }

  /** Owes the bytes of an answer, as they are sent: the next query waits for them. */
  public void read(long count) {
    owe(readBytes, count, limits.readBytesPerMinute());
  }

  private void checkRead() {
    take("read-bytes-per-minute", readBytes, 0, limits.readBytesPerMinute(), 0);
  }

  /** Takes tokens, and returns the wait for them. */
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
