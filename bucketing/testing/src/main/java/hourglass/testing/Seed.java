package hourglass.testing;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where random tests get their numbers. Each test prints its seed.
 *
 * <pre>
 * ./verify                fixed seeds
 * ./verify --full         other seeds with each commit, so that a green commit stays green
 * ./verify --long         new seeds each time
 * ... -Dhourglass.seed=N  repeats a run
 * </pre>
 *
 * Thread-safe.
 */
public final class Seed {
  private static final String GIVEN = "hourglass.seed";

  /** Names the commit, or anything else that is to change the seeds of the full tier. */
  private static final String SALT = "hourglass.seed.salt";

  private static final Map<String, List<Long>> DRAWN = new ConcurrentHashMap<>();

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
    DRAWN.computeIfAbsent(test, name -> new ArrayList<>()).add(seed);
    System.out.println(test + ": -D" + GIVEN + "=" + seed);
    return seed;
  }

  private static int drawn(String test) {
    return switch (Tier.current()) {
      case FIRST -> test.hashCode();
      case FULL -> (test + System.getProperty(SALT, "")).hashCode();
      case LONGEST -> new SecureRandom().nextInt();
    };
  }

  /** The option that repeats what a test has drawn in this process; empty if it drew nothing. */
  public static String option(String test) {
    List<Long> seeds = DRAWN.getOrDefault(test, List.of());
    return seeds.isEmpty() ? "" : "-D" + GIVEN + "=" + seeds.get(0);
  }
}
