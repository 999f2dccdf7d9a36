package hourglass.testing;

import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Where random tests get their numbers. Each test prints its seed.
 *
 * <pre>
 * ./verify                fixed seeds
 * ./verify --full         other seeds for other sources, so that what is green stays green
 * ./verify --long         new seeds each time
 * ... -Dhourglass.seed=N  repeats a run
 * </pre>
 *
 * Thread-safe.
 */
public final class Seed {
  private static final String GIVEN = "hourglass.seed";

  /**
   * Names the state of the sources, or anything else that is to change the seeds of the full tier.
   */
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
    return switch (Tier.current()) {
      case FIRST -> test.hashCode();
      case FULL -> (test + System.getProperty(SALT, "")).hashCode();
      case LONGEST -> new SecureRandom().nextInt();
    };
  }

  /** All seeds that this process has drawn, in their order. */
  public static List<Draw> drawn() {
    return List.copyOf(DRAWN);
  }
}
