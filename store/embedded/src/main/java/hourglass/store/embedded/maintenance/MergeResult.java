package hourglass.store.embedded.maintenance;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.ClassHour;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of some merges.
 *
 * @param waiting the hours that were not merged because of a failure, or since the time was over
 * @param withoutRoom the hours of merges that were too large for the disk, while others may be
 *     done, with the bytes of the smallest
 * @param failure null if no merge failed
 * @param noRoom why some were too large; null if none was
 */
record MergeResult(
    Set<ClassHour> waiting,
    Map<ClassHour, Long> withoutRoom,
    @Nullable String failure,
    @Nullable String noRoom) {
  boolean hasFailed() {
    return failure != null;
  }

  /** Returns the hours that were not merged, for whatever reason. */
  Set<ClassHour> left() {
    Set<ClassHour> left = new LinkedHashSet<>(withoutRoom.keySet());
    left.addAll(waiting);
    return left;
  }

  /** Throws UnavailableException if a merge failed or had no room. */
  void refuseUndone() {
    String reason = hasFailed() ? failure : noRoom;
    if (reason != null) {
      throw new UnavailableException("page files cannot be rewritten: " + reason);
    }
  }
}
