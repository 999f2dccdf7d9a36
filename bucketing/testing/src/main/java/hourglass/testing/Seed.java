package hourglass.testing;

import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Gives random tests their numbers. Each test prints its seed.
 *
 * <pre>
 * ./verify, --full                          fixed seeds
 * ./verify --long                           new seeds each time
 * ./verify --full -Dhourglass.seed.salt=S   other seeds for each S
 * ... -Dhourglass.seed=N                    repeats a run
 * </pre>
 *
 * Thread-safe.
 */
public final class Seed {
  private static final String GIVEN = "hourglass.seed";

  /** Any text, which changes the seeds of all tests. */
  private static final String SALT = "hourglass.seed.salt";

  private static final List<Draw> DRAWN = new CopyOnWriteArrayList<>();

  /**
   * A seed that a test drew.
   *
   * @param test as it named itself
   * @param nanos by {@link System#nanoTime}
   */
  public record Draw(String test, long seed, long nanos) {
    /** As the command line takes it. */
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

  /** All seeds that this process has drawn, in their order. */
  public static List<Draw> drawn() {
    return List.copyOf(DRAWN);
  }
}
