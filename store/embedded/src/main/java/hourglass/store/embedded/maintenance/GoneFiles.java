package hourglass.store.embedded.maintenance;

import hourglass.store.DroppedHours;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.PageFiles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Rewrites the page files that have bytes of dropped hours, in short steps, since flushes wait for
 * the same thread. A file that cannot be rewritten now is left to {@link
 * SectionMerger#rewriteDead}. Not thread-safe.
 */
final class GoneFiles {
  private final PageFiles files;
  private final SectionMerger merger;
  private final CloseDeadline deadline;

  /** The files that were not tried since the last drop. */
  private final Deque<FileUse> left = new ArrayDeque<>();

  /** Whether files that had no dropped hours are passed over. */
  private boolean isOfDroppedOnly;

  GoneFiles(PageFiles files, SectionMerger merger, CloseDeadline deadline) {
    this.files = files;
    this.merger = merger;
    this.deadline = deadline;
  }

  /** Begins with all files that have bytes of deleted hours now. */
  void begin() {
    isOfDroppedOnly = false;
    findAll();
  }

  /**
   * Begins with the files that have bytes of deleted hours, and had an hour that was dropped: a
   * process that ended before had not come to them. Bytes of hours that expired can wait.
   */
  void beginDropped() {
    if (!files.catalogue().dropped().isEmpty()) {
      isOfDroppedOnly = true;
      findAll();
    }
  }

  private void findAll() {
    left.clear();
    files.catalogue().files().stream().filter(file -> file.goneBytes() > 0).forEach(left::add);
  }

  /** Whether files are left to {@link #rewriteSome}. */
  boolean hasMore() {
    return !left.isEmpty();
  }

  /** Rewrites files for a limited time. Failures are logged. */
  void rewriteSome() {
    DroppedHours dropped = files.catalogue().dropped();
    long beganNanos = System.nanoTime();
    while (!left.isEmpty()
        && !deadline.isClosing()
        && System.nanoTime() - beganNanos <= SectionMerger.PASS_NANOS_MAX) {
      FileUse file = left.remove();
      if (!isOfDroppedOnly || files.mayHaveHad(file.number(), dropped::contains)) {
        rewrite(file);
      }
    }
  }

  private void rewrite(FileUse file) {
    List<SectionMerge> merges = merger.planner().emptying(file);
    if (!merges.isEmpty() && !merger.empty(file).hasFailed()) {
      int rest = merger.planner().emptying(file).size();
      if (rest > 0 && rest < merges.size()) { // otherwise the rest cannot be moved
        left.addFirst(file);
      }
    }
  }
}
