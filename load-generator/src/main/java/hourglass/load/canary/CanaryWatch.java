package hourglass.load.canary;

import hourglass.load.client.Backoff;
import hourglass.load.command.Limits;
import hourglass.load.command.Nanos;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import java.time.Duration;

/**
 * Looks for acknowledged events until they are seen, at once and then every so often: a page,
 * newest first, over the times of those that are not; and where it is full, another one before it,
 * over those that are still not, up to a bound. For one thread.
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

  /** Runs until it is interrupted. */
  void run() {
    try {
      int failures = 0;
      while (true) {
        boolean whole = look(unseen.awaitRange());
        long backoffMillis = whole ? 0 : Backoff.millis(failures, -1);
        failures = whole ? 0 : failures + 1;
        Thread.sleep(Math.max(interval.toMillis(), backoffMillis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether every answer was whole. */
  private boolean look(CanaryUnseen.Range newest) {
    CanaryUnseen.Range range = newest;
    for (int i = 0; range != null && i < Limits.CANARY_LOOK_PAGES; i++) {
      Page page = new Page();
      if (!reads.read(page.query(range), page)) {
        return false;
      }
      range = page.isFull() ? unseen.rangeBefore(page.end(range)) : null;
    }
    return true;
  }

  /** One answer. An event in it is visible, even if the answer turns out not to be whole. */
  private final class Page implements LineSplitter.LineHandler {
    private int size;
    private long oldestTicks = Long.MAX_VALUE;

    String query(CanaryUnseen.Range range) {
      return CanaryReads.range(range.fromTicks(), range.toTicks())
          + "&order=desc&limit="
          + Limits.CANARY_PAGE_EVENTS;
    }

    @Override
    public void line(byte[] bytes, int from, int to) {
      if (!Lines.isBlank(bytes, from, to)) {
        StoredEvent event = StoredEvent.read(bytes, from, to, payload);
        size++;
        oldestTicks = Math.min(oldestTicks, event.id().ticks());
        unseen.seen(events.sequence(event.identity()), nanos.now());
      }
    }

    boolean isFull() {
      return size >= Limits.CANARY_PAGE_EVENTS;
    }

    /** Where the next one ends: others may have the oldest time too, unless all of this one had. */
    long end(CanaryUnseen.Range range) {
      return Math.min(oldestTicks + 1, range.toTicks() - 1);
    }
  }
}
