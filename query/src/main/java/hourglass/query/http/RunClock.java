package hourglass.query.http;

import java.time.Clock;

/**
 * Measures how long a query has run, and how long it has waited for its client. Time spent waiting
 * for a place counts as neither. Thread-safe.
 */
final class RunClock {
  private final Clock clock;

  /** Time run before the last change of state. Guarded by this, like all fields below. */
  private long ranMillis;

  private long sinceMillis;
  private State state = State.RUNNING;

  enum State {
    /** A chunk is free, and the query has its place. */
    RUNNING,
    /** No chunk is free until the client reads. */
    STALLED,
    /** A chunk is free, but the query lost its place. */
    WITHOUT_PLACE
  }

  RunClock(Clock clock) {
    this.clock = clock;
    sinceMillis = clock.millis();
  }

  synchronized void become(State next) {
    if (state != next) {
      ranMillis = ranMillis();
      state = next;
      sinceMillis = clock.millis();
    }
  }

  /** The time spent running, without stalls and waits for a place. */
  synchronized long ranMillis() {
    return ranMillis + (state == State.RUNNING ? clock.millis() - sinceMillis : 0);
  }

  /** The duration of the current stall; 0 if there is none. */
  synchronized long stalledMillis() {
    return state == State.STALLED ? clock.millis() - sinceMillis : 0;
  }
}
