package hourglass.load;

import java.time.Duration;

/**
 * Looks for acknowledged events until they are seen: one bounded page, newest first, over the times
 * of those that are not, at once and then every so often. What is hidden behind a whole page of
 * newer ones is seen by a later look, or by the check. For one thread.
 */
final class CanaryWatch {
  private final CanaryUnseen unseen;
  private final CanaryReads reads;
  private final CanaryEvents events;
  private final Duration interval;
  private final Nanos nanos;
  private final Mapping.Extractor payload = Mapping.DEFAULT.extractor();

  /**
   * @param interval between two looks, at least
   */
  CanaryWatch(
      CanaryUnseen unseen, CanaryReads reads, CanaryEvents events, Duration interval, Nanos nanos) {
    this.unseen = unseen;
    this.reads = reads;
    this.events = events;
    this.interval = interval;
    this.nanos = nanos;
  }

  /** Goes on until it is interrupted. */
  void run() {
    try {
      int failures = 0;
      while (true) {
        CanaryUnseen.Range range = unseen.awaitRange();
        boolean whole = look(range);
        long backoffMillis = whole ? 0 : Backoff.millis(failures, -1);
        failures = whole ? 0 : failures + 1;
        Thread.sleep(Math.max(interval.toMillis(), backoffMillis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** An event in an answer is visible, even if the answer turns out not to be whole. */
  private boolean look(CanaryUnseen.Range range) {
    return reads.read(
        CanaryReads.range(range.fromTicks(), range.toTicks())
            + "&order=desc&limit="
            + Limits.CANARY_PAGE_EVENTS,
        (bytes, from, to) -> {
          if (!Lines.isBlank(bytes, from, to)) {
            String identity = StoredEvent.read(bytes, from, to, payload).identity();
            unseen.seen(events.sequence(identity), nanos.now());
          }
        });
  }
}
