package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PinnedHour;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Rewrites and deletes page files that may have bytes of erased columns: sections with pages,
 * indexes or manifests that are not in use any more, and files with bytes of sections that were
 * replaced, or of hours that were deleted. Not thread-safe.
 */
public final class ErasedFiles {
  /** The hours that a failure names. */
  private static final int NAMED_MAX = 5;

  /** The longest time for which sections of a step are sought, since flushes wait. */
  private static final long LOOK_NANOS_MAX = Duration.ofMillis(200).toNanos();

  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;

  /** The sections of these files before the last step; each merge makes them fewer. */
  private int sectionsBefore;

  private long upTo;

  /** The hours whose sections may have something that is not in use. */
  private final Deque<Hour> hoursLeft = new ArrayDeque<>();

  public ErasedFiles(Hours hours, PageFiles files, SectionMerger merger) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
  }

  /**
   * Throws unless all parts of these hours can be moved, which the end of an erasure needs.
   *
   * @throws UnavailableException naming the hour and the remedy
   */
  void refuseImmovable(Set<Hour> erased) {
    for (Hour hour : erased) {
      if (hours.isIncomplete(hour)) {
        throw new UnavailableException(
            hour
                + ": a part is missing, which may have erased columns; restore it, or drop the hour");
      }
      for (String each : files.catalogue().classes(hour)) {
        merger.refuseImmovable(new ClassHour(each, hour));
      }
    }
  }

  /** Begins with all files that are there, after erased columns have left the pages in use. */
  void begin(Set<Hour> erased) {
    upTo = files.newestNumber();
    sectionsBefore = Integer.MAX_VALUE;
    hoursLeft.clear();
    hoursLeft.addAll(new TreeSet<>(erased));
  }

  /**
   * Rewrites files for a limited time. Returns true once no listed file has bytes of erased columns
   * of these hours.
   *
   * @throws UnavailableException if a part of these hours, or of another in the same file, cannot
   *     be moved
   */
  boolean rewriteSome(Set<Hour> erased) {
    refuseImmovable(erased);
    long beganNanos = System.nanoTime();
    while (!hoursLeft.isEmpty() && System.nanoTime() - beganNanos < LOOK_NANOS_MAX) {
      List<SectionMerge> sections = sectionsWithUnused(hoursLeft.element());
      if (sections.isEmpty()) {
        hoursLeft.remove();
      } else {
        refuseWithoutProgress(sections.stream().map(SectionMerge::of));
        var unused = merger.mergeErased(sections); // what is left is found by the next step
        return false;
      }
    }
    if (!hoursLeft.isEmpty()) {
      return false;
    }
    List<FileUse> due = filesWithUnused(erased);
    if (due.isEmpty()) {
      return true;
    }
    refuseWithoutProgress(due.stream().flatMap(file -> file.inUse().stream()));
    for (FileUse file : due) {
      boolean isInTime = merger.emptyErased(file);
      if (!isInTime || System.nanoTime() - beganNanos > LOOK_NANOS_MAX) {
        break; // the next step finds the others
      }
    }
    return false;
  }

  /** Throws if the last step merged nothing: sections that cannot be read stay where they are. */
  private void refuseWithoutProgress(Stream<ClassHour> due) {
    int sectionsNow = sections();
    if (sectionsNow >= sectionsBefore) {
      throw new UnavailableException(
          "page files cannot be rewritten: sections of "
              + due.distinct().limit(NAMED_MAX).toList()
              + " cannot be read");
    }
    sectionsBefore = sectionsNow;
  }

  private int sections() {
    return files.catalogue().files().stream()
        .filter(file -> file.number() <= upTo)
        .mapToInt(file -> file.inUse().size())
        .sum();
  }

  private List<SectionMerge> sectionsWithUnused(Hour hour) {
    List<SectionMerge> merges = new ArrayList<>();
    List<String> classes = files.catalogue().classes(hour);
    if (!classes.isEmpty()) {
      try (PinnedHour pin = hours.pin(hour)) {
        for (String each : classes) {
          ClassHour of = new ClassHour(each, hour);
          merges.addAll(merger.planner().replacing(of, filesWithUnused(pin.state(), of)));
        }
      }
    }
    return merges;
  }

  /** Returns the files whose section of an hour has anything that is not in use. */
  private Set<Long> filesWithUnused(LoadedHour state, ClassHour of) {
    Set<Long> found = new HashSet<>();
    HourPages pages = state.pages(of.retentionClass());
    if (pages != null) {
      for (SectionInFile section : files.catalogue().sections(of)) {
        if (section.file() <= upTo
            && pages.hasUnused(
                section, (key, made) -> SectionMerger.isCurrent(state.rowIfPresent(key), made))) {
          found.add(section.file());
        }
      }
    }
    return found;
  }

  private List<FileUse> filesWithUnused(Set<Hour> erased) {
    Set<Long> replaced = new HashSet<>();
    erased.forEach(hour -> replaced.addAll(files.catalogue().filesWithReplaced(hour)));
    return files.catalogue().files().stream()
        .filter(file -> file.number() <= upTo)
        .filter(file -> replaced.contains(file.number()) || file.goneBytes() > 0)
        .toList();
  }

  /** Deletes files that no read uses; false if some still wait for reads. */
  boolean deleteUnused() throws IOException {
    files.deleteUnused();
    return !files.hasWaitingUpTo(upTo);
  }
}
