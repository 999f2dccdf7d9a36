package hourglass.query.http;

import java.time.Clock;

/**
 * Tells how long a query has run, and how long it has waited for its client to take what is there.
 * The time that it waits for its place is neither. Thread-safe.
 */
final class RunClock {
  private final Clock clock;

  /** Before the last time that it began to run. Guarded by this, as all below. */
  private long ranMillis;

  private long sinceMillis;
  private State state = State.RUNNING;

  private enum State {
    RUNNING,
    STALLED,
    WITHOUT_PLACE
  }

  /** Of a query that begins to run. */
  RunClock(Clock clock) {
    this.clock = clock;
    sinceMillis = clock.millis();
  }

  /** There is room for more, and it has its place. */
  void run() {
    become(State.RUNNING);
  }

  /** There is no room until the client takes something. */
  void stall() {
    become(State.STALLED);
  }

  /** There is room for more, but others have the places. */
  void losePlace() {
    become(State.WITHOUT_PLACE);
  }

  private synchronized void become(State next) {
    if (state != next) {
      ranMillis = ranMillis();
      state = next;
      sinceMillis = clock.millis();
    }
  }

  /** How long it has run, all waiting left out. */
  synchronized long ranMillis() {
    return ranMillis + (state == State.RUNNING ? clock.millis() - sinceMillis : 0);
  }

  /** How long this stall has lasted; 0 where it does not wait for its client. */
  synchronized long stalledMillis() {
    return state == State.STALLED ? clock.millis() - sinceMillis : 0;
  }
}
