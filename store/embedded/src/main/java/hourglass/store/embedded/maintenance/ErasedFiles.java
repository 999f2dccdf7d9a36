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
import java.util.ArrayList;
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

  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;

  /** The sections of these files before the last step; each merge makes them fewer. */
  private int sectionsBefore;

  private long upTo;

  public ErasedFiles(Hours hours, PageFiles files, SectionMerger merger) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
  }

  /** Begins with all files that are there, after erased columns have left the pages in use. */
  void begin() {
    upTo = files.newestNumber();
    sectionsBefore = Integer.MAX_VALUE;
  }

  /**
   * Rewrites files for a limited time. Returns true once no listed file has bytes of erased columns
   * of these hours.
   *
   * @throws UnavailableException if a part of these hours, or of another in the same file, cannot
   *     be moved
   */
  boolean rewriteSome(Set<Hour> erased) {
    for (Hour hour : erased) {
      if (hours.isIncomplete(hour)) {
        throw new UnavailableException(
            hour
                + ": a part is missing, which may have erased columns; restore it, or drop the hour");
      }
    }
    List<SectionMerge> sections = sectionsWithUnused(erased);
    List<FileUse> due = filesWithUnused(erased);
    if (sections.isEmpty() && due.isEmpty()) {
      return true;
    }
    int sectionsNow = sections();
    if (sectionsNow >= sectionsBefore) { // sections that cannot be read stay where they are
      throw new UnavailableException(
          "page files cannot be rewritten: sections of "
              + Stream.concat(
                      sections.stream().map(SectionMerge::of),
                      due.stream().flatMap(file -> file.inUse().stream()))
                  .distinct()
                  .limit(NAMED_MAX)
                  .toList()
              + " cannot be read");
    }
    sectionsBefore = sectionsNow;
    boolean isInTime = merger.mergeErased(sections);
    for (FileUse file : due) {
      isInTime = isInTime && merger.mergeErased(merger.planner().emptying(file));
    }
    return false;
  }

  private int sections() {
    return files.catalogue().files().stream()
        .filter(file -> file.number() <= upTo)
        .mapToInt(file -> file.inUse().size())
        .sum();
  }

  private List<SectionMerge> sectionsWithUnused(Set<Hour> erased) {
    List<SectionMerge> merges = new ArrayList<>();
    for (Hour hour : new TreeSet<>(erased)) {
      List<String> classes = files.catalogue().classes(hour);
      if (!classes.isEmpty()) {
        try (PinnedHour pin = hours.pin(hour)) {
          for (String each : classes) {
            ClassHour of = new ClassHour(each, hour);
            merges.addAll(merger.planner().replacing(of, filesWithUnused(pin.state(), of)));
          }
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
