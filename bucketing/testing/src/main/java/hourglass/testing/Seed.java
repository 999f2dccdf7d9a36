package hourglass.testing;

import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Makes the seeds of random tests. Each test prints its seed. Thread-safe.
 *
 * <pre>
 * ./verify, --full                          fixed seeds
 * ./verify --long                           new seeds each time
 * ./verify --full -Dhourglass.seed.salt=S   other seeds for each S
 * ... -Dhourglass.seed=N                    repeats a run
 * </pre>
 */
public final class Seed {
  private static final String GIVEN = "hourglass.seed";

  /** The property of a salt: any text, which changes the seeds of all tests. */
  private static final String SALT = "hourglass.seed.salt";

  private static final List<Draw> DRAWN = new CopyOnWriteArrayList<>();

  /**
   * A seed that a test drew.
   *
   * @param test the name that the test gave itself
   * @param nanos the time of the draw by {@link System#nanoTime}
   */
  public record Draw(String test, long seed, long nanos) {
    /** Returns the option of the command line that repeats the seed. */
    public String option() {
      return "-D" + GIVEN + "=" + seed;
    }
  }

  private Seed() {}

  public static Random random(Object test) {
    return random(test.getClass().getSimpleName());
  }

  public static Random random(String test) {
    return new Random(next(test));
  }

  public static long next(String test) {
    Long given = Long.getLong(GIVEN);
    long seed = given != null ? given : drawn(test) & Integer.MAX_VALUE;
    Draw draw = new Draw(test, seed, System.nanoTime());
    DRAWN.add(draw);
    System.out.println(test + ": " + draw.option());
    return seed;
  }

  private static int drawn(String test) {
    return Tier.current() == Tier.LONGEST
        ? new SecureRandom().nextInt()
        : (test + System.getProperty(SALT, "")).hashCode();
  }

  /** Returns all seeds that this process has drawn, in their order. */
  public static List<Draw> drawn() {
    return List.copyOf(DRAWN);
  }
}
