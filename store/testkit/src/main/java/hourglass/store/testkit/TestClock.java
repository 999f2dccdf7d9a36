package hourglass.store.testkit;

import hourglass.testing.UtcClock;
import java.time.Duration;
import java.time.Instant;

/** A clock in UTC whose time changes only when it is set. Thread-safe. */
public final class TestClock extends UtcClock {
  /** The middle of the hour that most tests write to. */
  public static final Instant START = StoreFixture.HOUR.start().plusSeconds(1_800);

  private volatile Instant now;

  public TestClock() {
    this(START);
  }

  public TestClock(Instant now) {
    this.now = now;
  }

  public synchronized void set(Instant instant) {
    now = instant;
  }

  public synchronized void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
