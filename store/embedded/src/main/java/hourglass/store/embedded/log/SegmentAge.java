package hourglass.store.embedded.log;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * The size and age of the segment that is being written, which tell when it is due to end. Not
 * thread-safe.
 */
final class SegmentAge {
  /**
   * The least size of a segment that ends when idle. The flush of a smaller one would make many
   * small pages.
   */
  private static final long IDLE_BYTES_MIN = 1 << 20;

  private final int segmentBytesMax;
  private final Clock clock;
  private long heldBytes;
  private long firstWriteMillis;
  private long lastWriteMillis;

  SegmentAge(int segmentBytesMax, Clock clock) {
    this.segmentBytesMax = segmentBytesMax;
    this.clock = clock;
  }

  /** Notes that a group was written now. */
  void written() {
    lastWriteMillis = clock.millis();
  }

  /** Adds memory that the columns of the last group hold until they are in pages. */
  void hold(long bytes) {
    if (heldBytes == 0) {
      firstWriteMillis = lastWriteMillis;
    }
    heldBytes += bytes;
  }

  /** Whether the segment is full, or any command of a group asks for its end at this age. */
  boolean isDue(long segmentBytes, List<LogCommand> group) {
    return segmentBytes >= segmentBytesMax
        || group.stream()
            .anyMatch(
                command -> command instanceof LogCommand.Roll roll && isDue(roll, segmentBytes));
  }

  private boolean isDue(LogCommand.Roll roll, long segmentBytes) {
    return heldBytes > 0
        && (segmentBytes >= IDLE_BYTES_MIN && isPast(lastWriteMillis, roll.idle())
            || isPast(firstWriteMillis, roll.age()));
  }

  /** Whether a time has passed. If the clock was set back, it counts as passed, once. */
  private boolean isPast(long sinceMillis, Duration time) {
    long passed = clock.millis() - sinceMillis;
    return passed >= time.toMillis() || passed < 0;
  }

  /** Begins another segment, and returns the memory that columns of this one hold. */
  long end() {
    long bytes = heldBytes;
    heldBytes = 0;
    return bytes;
  }
}
