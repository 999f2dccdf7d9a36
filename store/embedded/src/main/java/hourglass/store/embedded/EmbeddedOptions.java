package hourglass.store.embedded;

import hourglass.store.DiskBudget;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.SpaceGuard;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the embedded engine. Immutable.
 *
 * @param memoryBudgetBytes memory for unflushed columns and waiting writes; beyond it, writes are
 *     refused as overload
 * @param segmentBytes the size at which a log segment ends and is flushed
 * @param flushIdle the time without a write after which a segment is flushed, even if it is smaller
 * @param flushAge the longest time from a segment's first write to its flush
 * @param sealAfter the time after the end of a row's hour, and after its last write, until the row
 *     is sealed
 * @param reserveBytes free space that writes leave; if null, the larger of 1 GiB and 5 % of the
 *     disk
 * @param settle how far readers stay behind the clock; a column that becomes visible later than
 *     this is late
 * @param untimedWindow the least time for which the first times of events without a time are kept
 * @param untimedEventsMax the events whose first times are kept, with 32 to 64 bytes of memory
 *     each; beyond it, new ones are refused as overload
 * @param erasureRemember how long repeats of erased columns are recognised after their bytes are
 *     gone
 * @param backupDirs the folders below which backups may be, which may have what was erased
 * @param missing paths below the directory that may be missing, with all their content; the store
 *     reports missing parts
 */
@RecordBuilder
public record EmbeddedOptions(
    Path dir,
    long memoryBudgetBytes,
    int segmentBytes,
    Duration flushIdle,
    Duration flushAge,
    Duration sealAfter,
    @Nullable Long reserveBytes,
    Duration settle,
    long arrivalsBytesMax,
    Duration untimedWindow,
    int untimedEventsMax,
    Duration erasureRemember,
    List<Path> backupDirs,
    List<String> missing,
    Retention retention,
    DiskBudget budget) {

  /** The least reserve that has an effect: pages always leave this much free. */
  public static final long RESERVE_BYTES_MIN = SpaceGuard.ROOM_BYTES_MIN;

  private static final long MIB = 1 << 20;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /**
   * The most events whose first times are kept. At 24 bytes each, they fit into one file, which is
   * mapped and so at most 2 GiB long.
   */
  public static final int UNTIMED_EVENTS_MAX = 50_000_000;

  public EmbeddedOptions {
    require(segmentBytes >= MIB, "segmentBytes: " + segmentBytes + ", want at least 1 MiB");
    require(
        memoryBudgetBytes >= 4L * segmentBytes,
        "memoryBudgetBytes: %s, want at least 4 segments of %s"
            .formatted(memoryBudgetBytes, segmentBytes));
    require(!flushIdle.isNegative() && !flushIdle.isZero(), "flushIdle: " + flushIdle + " <= 0");
    require(!flushAge.isNegative() && !flushAge.isZero(), "flushAge: " + flushAge + " <= 0");
    require(!sealAfter.isNegative(), "sealAfter: " + sealAfter + " < 0");
    require(reserveBytes == null || reserveBytes >= 0, "reserveBytes: " + reserveBytes + " < 0");
    require(!settle.isNegative(), "settle: " + settle + " < 0");
    require(arrivalsBytesMax >= 0, "arrivalsBytesMax: " + arrivalsBytesMax + " < 0");
    require(untimedWindow.compareTo(MINUTE) >= 0, "untimedWindow: " + untimedWindow + " < 1 min");
    require(
        untimedEventsMax >= 1 && untimedEventsMax <= UNTIMED_EVENTS_MAX,
        "untimedEventsMax: " + untimedEventsMax + ", want 1 to " + UNTIMED_EVENTS_MAX);
    require(!erasureRemember.isNegative(), "erasureRemember: " + erasureRemember + " < 0");
    backupDirs = List.copyOf(backupDirs);
    missing = List.copyOf(missing);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Returns the size of a segment for a budget: an eighth, so that one segment is flushed while
   * others fill. Beyond 32 MiB a larger segment only makes a start after a crash slower.
   *
   * @param memoryBudgetBytes at least 4 MiB
   */
  public static int segmentBytes(long memoryBudgetBytes) {
    return (int) Math.max(MIB, Math.min(32 * MIB, memoryBudgetBytes / 8));
  }

  public static EmbeddedOptionsBuilder builder(Path dir) {
    return EmbeddedOptionsBuilder.builder()
        .dir(dir)
        .memoryBudgetBytes(256 * MIB)
        .segmentBytes((int) (32 * MIB))
        .flushIdle(Duration.ofSeconds(1))
        .flushAge(Duration.ofMinutes(5))
        .sealAfter(Duration.ofMinutes(10))
        .settle(Duration.ofSeconds(2))
        // This is enough for a hundred million late events of a bulk load.
        .arrivalsBytesMax(256 * MIB)
        .untimedWindow(Duration.ofHours(1))
        .untimedEventsMax(1_000_000)
        .erasureRemember(Duration.ofDays(30))
        .backupDirs(List.of())
        .missing(List.of())
        .retention(Retention.DEFAULTS)
        .budget(DiskBudget.NONE);
  }
}
