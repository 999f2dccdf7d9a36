package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.command.ProgressLine;
import hourglass.load.client.Backoff;
import hourglass.load.client.Destination;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of the canary's type. One thread watches for acknowledged events, and one checks
 * each due window. An answer counts only if it is whole: one that failed, was cut off or declares
 * itself incomplete proves nothing about missing events.
 */
record CanaryReader(
    TargetClient client,
    Destination destination,
    CanaryEvents events,
    CanaryLedger ledger,
    CanaryTally tally,
    Nanos nanos) {

  /** Looks for unseen events at once and then at intervals, until interrupted. */
  void watch(Duration interval) {
    try {
      int failures = 0;
      while (true) {
        boolean whole = look(ledger.awaitUnseen());
        long backoffMillis = whole ? 0 : Backoff.millis(failures, -1);
        failures = whole ? 0 : failures + 1;
        Thread.sleep(Math.max(interval.toMillis(), backoffMillis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads pages with unseen events, the newest first, up to a bound. Returns whether every answer
   * was whole.
   */
  private boolean look(CanaryLedger.Range newest) {
    CanaryLedger.Range range = newest;
    for (int i = 0; range != null && i < LoadLimits.CANARY_LOOK_PAGES; i++) {
      Page page = new Page();
      String limit = "&order=desc&limit=" + LoadLimits.CANARY_PAGE_EVENTS;
      if (!read(range(range.fromTicks(), range.toTicks()) + limit, page)) {
        return false;
      }
      boolean full = page.size >= LoadLimits.CANARY_PAGE_EVENTS;
      // Events on the next page may have the oldest time too, unless all of this page had it.
      long end = Math.min(page.oldestTicks + 1, range.toTicks() - 1);
      range = full ? ledger.unseenBefore(end) : null;
    }
    return true;
  }

  /** A page of events. An event in an answer is visible even if the answer is not whole. */
  private final class Page implements Consumer<StoredEvent> {
    private int size;
    private long oldestTicks = Long.MAX_VALUE;

    @Override
    public void accept(StoredEvent event) {
      size++;
      oldestTicks = Math.min(oldestTicks, event.id().ticks());
      ledger.seen(events.sequence(event.identity()), nanos.now());
    }
  }

  /**
   * Checks windows until the ledger has ended and no window is left. A window without a whole
   * answer is read again, after the others.
   */
  void check() throws InterruptedException {
    int failures = 0;
    CanaryWindow window = ledger.awaitDue();
    while (window != null) {
      if (isChecked(window)) {
        failures = 0;
      } else {
        ledger.failed(window);
        Thread.sleep(Backoff.millis(failures++, -1));
      }
      window = ledger.awaitDue();
    }
  }

  /**
   * Checks a window, and returns whether its answer was whole. A failure must not prevent the check
   * of the next window.
   */
  private boolean isChecked(CanaryWindow window) throws InterruptedException {
    try {
      destination.awaitStored(ProgressLine.silent()); // a topic acknowledges before it stores
      CanaryCheck check = new CanaryCheck(events, window);
      String range = range(window.fromTicks, window.toTicks);
      boolean whole = read(range + "&order=asc&limit=all", check);
      if (whole) {
        long now = nanos.now();
        ledger.checked(
            window,
            () -> {
              check.found.forEach(event -> ledger.seen(event.sequence, now));
              check.end(tally);
            });
      }
      return whole;
    } catch (LoadFailure e) {
      tally.readFailed("not stored yet", String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      tally.readFailed("broken", e.toString());
    }
    return false;
  }

  private static String range(long fromTicks, long toTicks) {
    return "from=%s&to=%s".formatted(Ticks.text(fromTicks), Ticks.text(toTicks));
  }

  private boolean read(String parameters, Consumer<StoredEvent> found) {
    try {
      return readWhole(parameters, found);
    } catch (LoadFailure e) {
      tally.readFailed("failed", String.valueOf(e.getMessage()));
    } catch (RuntimeException e) { // unexpected, and the canary continues
      tally.readFailed("broken", e.toString());
    }
    return false;
  }

  private boolean readWhole(String parameters, Consumer<StoredEvent> found) {
    String query = "/api/v1/events?type=" + events.type() + "&format=ndjson&" + parameters;
    boolean whole = client.events(query, Mapping.DEFAULT, found);
    if (!whole) {
      tally.readFailed("incomplete", "GET " + query);
    }
    return whole;
  }

  /**
   * Returns a description of an event of the type that no canary sent, or null if there is none
   * among the newest.
   */
  @Nullable String stranger() {
    AtomicReference<@Nullable String> found = new AtomicReference<>();
    boolean whole =
        readWhole(
            "order=desc&limit=" + LoadLimits.CANARY_LOOK_EVENTS,
            event -> {
              if (!CanaryEvents.isOfCanary(event.identity())) {
                found.compareAndSet(null, event.id() + " at " + event.timeText());
              }
            });
    if (!whole) {
      throw new LoadFailure("the target cannot tell what is there: its answer is incomplete");
    }
    return found.get();
  }
}
