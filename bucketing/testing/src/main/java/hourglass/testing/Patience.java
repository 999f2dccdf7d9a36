package hourglass.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long all tests of a process wait for a condition, unless they say otherwise. A condition that
 * holds costs no time, so the limit is for the slowest machine.
 */
public final class Patience implements LauncherSessionListener {
  public static final Duration LONGEST = Duration.ofMinutes(2);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LONGEST);
  }
}
