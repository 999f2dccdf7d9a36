package hourglass.ingest.syslog;

import hourglass.access.LimitExceededException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the messages on their way to the store, and logs failures to store them. Thread-safe. */
final class WriteOutcomes {
  private static final Logger logger = LoggerFactory.getLogger(WriteOutcomes.class);
  private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final AtomicLong pending = new AtomicLong();
  private final AtomicBoolean isFailing = new AtomicBoolean();
  private final AtomicLong rejected = new AtomicLong();
  private final AtomicLong rejectedNanos = new AtomicLong();

  /** Returns the number of messages that are neither stored nor rejected. */
  long pending() {
    return pending.get();
  }

  void begun(int messages) {
    pending.addAndGet(messages);
  }

  /** Notes that so many messages are stored or rejected. */
  void done(int messages) {
    pending.addAndGet(-messages);
    if (isFailing.get() && isFailing.compareAndSet(true, false)) {
      logger.info("syslog: stored again");
    }
  }

  /** Logs the first of several failures in a row. A limit of the sender is none. */
  void failed(Throwable failure) {
    boolean isAboveLimit = failure instanceof LimitExceededException;
    if (!isAboveLimit && isFailing.compareAndSet(false, true)) {
      logger.warn("syslog: not stored, will try again: {}", failure.toString());
    }
  }

  /** Counts a message that the store refuses for good. */
  void rejected(Throwable failure) {
    long count = rejected.incrementAndGet();
    long now = System.nanoTime();
    long last = rejectedNanos.get();
    boolean isDue = count == 1 || now - last >= LOG_INTERVAL_NANOS; // not for each message
    if (isDue && rejectedNanos.compareAndSet(last, now)) {
      logger.error(
          "syslog: {} messages rejected so far that the store refuses for good; /api/v1/rejects has"
              + " some of them",
          count,
          failure);
    }
  }
}
