package hourglass.query.http;

import java.time.Clock;

/**
 * Tells how long a query has run, and how long it has waited for its client to take what is there.
 * Thread-safe.
 */
final class RunClock {
  private final Clock clock;

  /** Before the last time that it began to run. Guarded by this, as all below. */
  private long ranMillis;

  private long sinceMillis;
  private boolean stalled;

  /** Of a query that begins to run. */
  RunClock(Clock clock) {
    this.clock = clock;
    sinceMillis = clock.millis();
  }

  /** There is room for more. */
  synchronized void run() {
    if (stalled) {
      stalled = false;
      sinceMillis = clock.millis();
    }
  }

  /** There is no room until the client takes something. */
  synchronized void stall() {
    if (!stalled) {
      ranMillis = ranMillis();
      stalled = true;
      sinceMillis = clock.millis();
    }
  }

  /** How long it has run, stalls left out. */
  synchronized long ranMillis() {
    return ranMillis + (stalled ? 0 : clock.millis() - sinceMillis);
  }

  /** How long this stall has lasted; 0 while it runs. */
  synchronized long stalledMillis() {
    return stalled ? clock.millis() - sinceMillis : 0;
  }
}
