package hourglass.testing;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Where random tests get their numbers, and how long they run.
 *
 * <pre>
 * ./verify                       fixed seeds: what passed once passes again
 * ./verify --long                new seeds each time, and longer runs
 * ... -Dhourglass.seed=N         repeats a run
 * </pre>
 */
public final class Seed {
  private static final String GIVEN = "hourglass.seed";
  private static final String LONG = "hourglass.long";

  private Seed() {}

  public static Random random(Object test) {
    return random(test.getClass().getSimpleName());
  }

  public static Random random(String test) {
    return new Random(next(test));
  }

  public static long next(String test) {
    Long given = Long.getLong(GIVEN);
    int drawn = isLong() ? new SecureRandom().nextInt() : test.hashCode();
    long seed = given != null ? given : drawn & Integer.MAX_VALUE;
    System.out.println(test + ": -D" + GIVEN + "=" + seed);
    return seed;
  }

  public static boolean isLong() {
    return Boolean.getBoolean(LONG);
  }

  public static int length(int normally, int longForm) {
    return isLong() ? longForm : normally;
  }
}
