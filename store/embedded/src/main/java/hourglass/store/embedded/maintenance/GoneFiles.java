package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.StoreCatalogue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Rewrites the page files that have bytes of dropped hours, in short steps, since flushes wait for
 * the same thread. A file that cannot be rewritten now is left to {@link
 * SectionMerger#rewriteDead}. Not thread-safe.
 */
final class GoneFiles {
  private final StoreCatalogue catalogue;
  private final SectionMerger merger;
  private final CloseDeadline deadline;

  /** The files that were not tried since the last drop. */
  private final Deque<FileUse> left = new ArrayDeque<>();

  GoneFiles(StoreCatalogue catalogue, SectionMerger merger, CloseDeadline deadline) {
    this.catalogue = catalogue;
    this.merger = merger;
    this.deadline = deadline;
  }

  /** Begins with all files that have bytes of dropped hours now. */
  void begin() {
    left.clear();
    catalogue.files().stream().filter(file -> file.goneBytes() > 0).forEach(left::add);
  }

  /** Whether files are left to {@link #rewriteSome}. */
  boolean hasMore() {
    return !left.isEmpty();
  }

  /** Rewrites files for a limited time. Failures are logged. */
  void rewriteSome() {
    long beganNanos = System.nanoTime();
    while (!left.isEmpty()
        && !deadline.isClosing()
        && System.nanoTime() - beganNanos <= SectionMerger.PASS_NANOS_MAX) {
      FileUse file = left.remove();
      List<SectionMerge> merges = merger.planner().emptying(file);
      if (!merges.isEmpty() && !merger.mergeFreeing(merges).hasFailed()) {
        int rest = merger.planner().emptying(file).size();
        if (rest > 0 && rest < merges.size()) { // otherwise the rest cannot be moved
          left.addFirst(file);
        }
      }
    }
  }
}
