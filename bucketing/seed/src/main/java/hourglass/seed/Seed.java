package hourglass.seed;

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

  /** Random numbers for a test, which is named after its class; the seed is printed. */
  public static Random random(Object test) {
    return random(test.getClass().getSimpleName());
  }

  /** Random numbers for a test; the seed is printed. */
  public static Random random(String test) {
    return new Random(next(test));
  }

  /** The seed of a test; printed, so that any run can be repeated. */
  public static long next(String test) {
    Long given = Long.getLong(GIVEN);
    int drawn = isLong() ? new SecureRandom().nextInt() : test.hashCode();
    long seed = given != null ? given : drawn & Integer.MAX_VALUE;
    System.out.println(test + ": -D" + GIVEN + "=" + seed);
    return seed;
  }

  /** Whether tests run at length. */
  public static boolean isLong() {
    return Boolean.getBoolean(LONG);
  }

  /** How long a test runs. */
  public static int length(int normally, int longForm) {
    return isLong() ? longForm : normally;
  }
}
