package hourglass.store;

import java.time.Duration;

/**
 * How much of a disk a store may take. Beyond it, whole hours are dropped, the oldest first.
 * Immutable.
 *
 * @param bytesMax the most bytes of the store; {@link #NO_BYTES_MAX} for any number
 * @param diskPercentMax how much of the disk may be in use, by whatever it is, in percent, 1 to
 *     100; 100 for all of it
 * @param keepAtLeast the age, from the end of the hour, up to which no hour is dropped
 * @param passPause the least time from one pass that drops hours to the next
 */
public record DiskBudget(
    long bytesMax, int diskPercentMax, Duration keepAtLeast, Duration passPause) {
  public static final long NO_BYTES_MAX = Long.MAX_VALUE;
  public static final int WHOLE_DISK = 100;

  /** No budget: nothing is dropped. */
  public static final DiskBudget NONE =
      new DiskBudget(NO_BYTES_MAX, WHOLE_DISK, Duration.ofDays(2), Duration.ofMinutes(5));

  public DiskBudget {
    require(bytesMax > 0, "bytesMax: " + bytesMax + " <= 0");
    require(
        diskPercentMax >= 1 && diskPercentMax <= WHOLE_DISK,
        "diskPercentMax: " + diskPercentMax + ", want 1 to 100");
    require(!keepAtLeast.isNegative(), "keepAtLeast: " + keepAtLeast + " < 0");
    require(!passPause.isNegative() && !passPause.isZero(), "passPause: " + passPause + " <= 0");
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Whether hours may be dropped for it. */
  public boolean isOn() {
    return bytesMax != NO_BYTES_MAX || diskPercentMax != WHOLE_DISK;
  }
}
