package hourglass.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long all tests of a process wait for a condition, and how often they check it, unless
 * they set other values. A condition that is true costs no time, so the limit is for the slowest
 * machine.
 */
public final class Patience implements LauncherSessionListener {
  public static final Duration LONGEST = Duration.ofMinutes(2);

  /** The same limit in milliseconds, for sockets. */
  public static final int LONGEST_MILLIS = (int) LONGEST.toMillis();

  /**
   * The first interval between two looks. Each is twice as long as the one before, up to the last.
   */
  private static final Duration FIRST_LOOK = Duration.ofMillis(1);

  private static final Duration LAST_LOOK = Duration.ofMillis(100);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LONGEST);
    Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(Patience::next, FIRST_LOOK));
  }

  private static Duration next(Duration before) {
    Duration twice = before.multipliedBy(2);
    return twice.compareTo(LAST_LOOK) < 0 ? twice : LAST_LOOK;
  }
}
