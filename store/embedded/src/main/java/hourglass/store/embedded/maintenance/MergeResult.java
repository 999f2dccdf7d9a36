package hourglass.store.embedded.maintenance;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.ClassHour;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of some merges.
 *
 * @param left the hours that were not merged, because of a failure, for lack of room, or since the
 *     time was over
 * @param failure null if none of them failed
 * @param noRoom why some were too large for the disk, while others may be done; null if none was
 */
record MergeResult(Set<ClassHour> left, @Nullable String failure, @Nullable String noRoom) {
  boolean hasFailed() {
    return failure != null;
  }

  boolean lacksRoom() {
    return noRoom != null;
  }

  /** Throws UnavailableException if a merge failed or had no room. */
  void refuseUndone() {
    String reason = hasFailed() ? failure : noRoom;
    if (reason != null) {
      throw new UnavailableException("page files cannot be rewritten: " + reason);
    }
  }
}
