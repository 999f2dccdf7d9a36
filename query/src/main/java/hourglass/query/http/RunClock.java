package hourglass.query.http;

import java.time.Clock;

/** The running time and the stall of a query; waits for a place are neither. Thread-safe. */
final class RunClock {
  private final Clock clock;

  /** The running time until the last change of state. Guarded by this, like all fields below. */
  private long ranMillis;

  private long sinceMillis;
  private State state = State.RUNNING;

  enum State {
    /** A chunk is free, and the place is held. */
    RUNNING,
    /** No chunk is free until the client reads. */
    STALLED,
    /** A chunk is free, but the place is lost. */
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

  synchronized long ranMillis() {
    return ranMillis + (state == State.RUNNING ? clock.millis() - sinceMillis : 0);
  }

  /** The time since the client stalled; 0 if there is no stall. */
  synchronized long stalledMillis() {
    return state == State.STALLED ? clock.millis() - sinceMillis : 0;
  }
}
