package hourglass.store;

import java.time.Duration;
import java.util.Map;

/**
 * How long a store keeps events, by type. Whole hours are deleted. Immutable.
 *
 * @param lateArrivals how long it keeps the records of late arrivals, by which a tail resumes
 *     without a gap
 */
public record Retention(Duration byDefault, Map<String, Duration> byType, Duration lateArrivals) {
  /** The time from the first hour that can be stored to the last, 2000 to 2099. */
  public static final Duration FOREVER = Duration.ofDays(36_525);

  /** The defaults, with which a tail can resume after a night. */
  public static final Retention DEFAULTS = new Retention(FOREVER, Map.of(), Duration.ofHours(24));

  public Retention {
    byType = Map.copyOf(byType);
    requireHour("retention", byDefault);
    byType.forEach((type, keep) -> requireHour("retention of " + type, keep));
    if (lateArrivals.isNegative() || lateArrivals.isZero()) {
      throw new IllegalArgumentException("lateArrivals: " + lateArrivals + " <= 0");
    }
  }

  private static void requireHour(String name, Duration keep) {
    if (keep.compareTo(Duration.ofHours(1)) < 0) {
      throw new IllegalArgumentException(
          name + ": " + keep + ", want at least 1 hour, since whole hours are deleted");
    }
  }

  public static Retention of(Duration byDefault, Map<String, Duration> byType) {
    return new Retention(byDefault, byType, DEFAULTS.lateArrivals);
  }

  /** {@link #FOREVER} if the type is never deleted. */
  public Duration forType(String type) {
    return byType.getOrDefault(type, byDefault);
  }
}
