package hourglass.config;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Chance and length of a test: {@code -Dhourglass.seed=N} repeats a run as far as timing allows,
 * {@code -Dhourglass.long=true} makes it longer.
 */
final class RandomRun {
  private RandomRun() {}

  static Random random(Object test) {
    Long given = Long.getLong("hourglass.seed");
    long seed = given != null ? given : new SecureRandom().nextInt(Integer.MAX_VALUE);
    System.out.println(test.getClass().getSimpleName() + ": -Dhourglass.seed=" + seed);
    return new Random(seed);
  }

  static boolean isLong() {
    return Boolean.getBoolean("hourglass.long");
  }

  static int length(int normally, int longForm) {
    return isLong() ? longForm : normally;
  }
}
