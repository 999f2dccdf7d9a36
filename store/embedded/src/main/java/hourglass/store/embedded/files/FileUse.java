package hourglass.store.embedded.files;

import java.util.List;

/**
 * How much of a page file is in use.
 *
 * @param liveBytes the bytes of its sections that are in use
 * @param deadBytes the bytes of sections and pages that are not in use any more
 * @param goneBytes the bytes of sections whose hours were deleted
 * @param goneSince the hour since 1970 in which the first was deleted; 0 if there is none
 * @param inUse the hours that still have a section in it
 */
public record FileUse(
    long number,
    long bytes,
    long liveBytes,
    long deadBytes,
    long goneBytes,
    int goneSince,
    List<ClassHour> inUse) {

  public FileUse {
    inUse = List.copyOf(inUse);
  }
}
