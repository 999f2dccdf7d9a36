package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileRange;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.PageSection.Kind;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.files.StoreCatalogue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which sections of an hour are merged. No merge copies more than {@link #MERGE_BYTES_MAX},
 * unless a single section has more. Thread-safe.
 */
final class MergePlanner {
  /** The most bytes that one merge joins, since flushes wait for the same thread. */
  static final long MERGE_BYTES_MAX = 64L << 20;

  /** The size from which on a section needs no merge only because it is small. */
  private static final long LARGE_BYTES = MERGE_BYTES_MAX / 2;

  /** The sections of an hour and class from which on small ones are merged. */
  private static final int SECTIONS_MAX = 16;

  /** The least number of small sections that are worth a merge. */
  private static final int SECTIONS_MIN = 8;

  /** A section of so many times the bytes of all newer ones is left as it is. */
  private static final int LARGE_FACTOR = 4;

  /** The bytes of newer sections that a section takes along, however small it is. */
  private static final long ALONG_BYTES = 1L << 20;

  private final StoreCatalogue catalogue;

  MergePlanner(StoreCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** Returns the merge of the small sections of an hour that has many; null if there is none. */
  @Nullable SectionMerge small(ClassHour of) {
    List<SectionInFile> sections = catalogue.sections(of);
    if (sections.size() < SECTIONS_MAX) {
      return null;
    }
    Run run = new Run(of);
    for (int i = sections.size() - 1; i >= 0; i--) {
      SectionInFile section = sections.get(i);
      boolean isSmall = section.liveBytes() < LARGE_BYTES;
      boolean grows = run.isEmpty() || section.liveBytes() <= run.bytes;
      if (!isSmall || !grows || !run.hasRoomFor(section)) {
        break;
      }
      run.add(section);
    }
    return run.count >= SECTIONS_MIN || run.count > 1 && run.bytes >= LARGE_BYTES
        ? run.merge()
        : null;
  }

  /**
   * Returns the merges of sealed hours: of their sections that share a file with others, together
   * with merged ones unless those are large. A large section that has its file to itself stays.
   */
  List<SectionMerge> sealed(Collection<ClassHour> sealed) {
    Map<Long, FileUse> files =
        catalogue.files().stream().collect(Collectors.toMap(FileUse::number, Function.identity()));
    List<SectionMerge> merges = new ArrayList<>();
    for (ClassHour of : sealed) {
      addSealed(of, files, merges);
    }
    return merges;
  }

  private void addSealed(ClassHour of, Map<Long, FileUse> files, List<SectionMerge> merges) {
    List<SectionInFile> sections = catalogue.sections(of);
    Run run = new Run(of);
    for (int i = sections.size() - 1; i >= 0; i--) {
      SectionInFile section = sections.get(i);
      boolean isAdded = section.section().kind() == Kind.ADDED;
      if (isAdded ? hasFileToItself(section, files) : !run.isWorth(section)) {
        run.endInto(merges);
        run = new Run(of);
        continue;
      }
      if (!run.hasRoomFor(section)) {
        run.endInto(merges);
        run = new Run(of);
      }
      run.add(section);
    }
    run.endInto(merges);
  }

  private static boolean hasFileToItself(SectionInFile section, Map<Long, FileUse> files) {
    FileUse file = files.get(section.file());
    return section.liveBytes() >= LARGE_BYTES
        && file != null
        && file.inUse().size() == 1
        && file.deadBytes() <= file.liveBytes();
  }

  /** Returns the merges after which no section of an hour has dead bytes. */
  List<SectionMerge> withoutDead(ClassHour of) {
    List<SectionMerge> merges = new ArrayList<>();
    Run run = new Run(of);
    for (SectionInFile section : catalogue.sections(of)) {
      if (!run.hasRoomFor(section)) {
        run.endIfDeadInto(merges);
        run = new Run(of);
      }
      run.add(section);
    }
    run.endIfDeadInto(merges);
    return merges;
  }

  /** Returns the merges after which none of these sections of an hour is in use. */
  List<SectionMerge> replacing(ClassHour of, Set<Long> filesOfSections) {
    List<SectionMerge> merges = new ArrayList<>();
    Run run = new Run(of);
    for (SectionInFile section : catalogue.sections(of)) {
      boolean isDue = filesOfSections.contains(section.file());
      if (!run.isEmpty() && (!isDue || !run.hasRoomFor(section))) {
        merges.add(run.merge());
        run = new Run(of);
      }
      if (isDue) {
        run.add(section);
      }
    }
    if (!run.isEmpty()) {
      merges.add(run.merge());
    }
    return merges;
  }

  /**
   * Returns the merges after which a file has no section in use. Small newer sections of its hours
   * are merged along.
   */
  List<SectionMerge> emptying(FileUse file) {
    List<SectionMerge> merges = new ArrayList<>();
    for (ClassHour of : file.inUse()) {
      Run run = new Run(of);
      for (SectionInFile section : catalogue.sections(of)) {
        if (section.file() == file.number()) {
          run.add(section);
        } else if (section.file() > file.number() && !run.takesAlong(section)) {
          break;
        } else if (section.file() > file.number()) {
          run.add(section);
        }
      }
      if (!run.isEmpty()) { // otherwise it was merged meanwhile
        merges.add(run.merge());
      }
    }
    return merges;
  }

  /** Sections of an hour that follow each other. */
  private static final class Run {
    private final ClassHour of;
    private int count;
    private long bytes;
    private long oldest = Long.MAX_VALUE;
    private long newest;
    private boolean isOfMerged = true;
    private long deadBytes;

    Run(ClassHour of) {
      this.of = of;
    }

    boolean isEmpty() {
      return count == 0;
    }

    void add(SectionInFile section) {
      count++;
      bytes += section.liveBytes();
      oldest = Math.min(oldest, section.file());
      newest = Math.max(newest, section.file());
      isOfMerged &= section.section().kind() == Kind.MERGED;
      deadBytes += deadBytes(section);
    }

    private static long deadBytes(SectionInFile section) {
      return section.section().bytes() - section.liveBytes();
    }

    boolean hasRoomFor(SectionInFile section) {
      return isEmpty() || bytes + section.liveBytes() <= MERGE_BYTES_MAX;
    }

    /** Whether an older merged section is small, or has many dead bytes. */
    boolean isWorth(SectionInFile section) {
      return section.liveBytes() <= LARGE_FACTOR * (bytes + deadBytes(section));
    }

    /** Whether a newer section is small compared to those before it. */
    boolean takesAlong(SectionInFile section) {
      return !isEmpty()
          && hasRoomFor(section)
          && section.liveBytes() <= Math.max(ALONG_BYTES, LARGE_FACTOR * bytes);
    }

    SectionMerge merge() {
      return new SectionMerge(of, FileRange.closed(oldest, newest), bytes);
    }

    void endIfDeadInto(List<SectionMerge> merges) {
      if (deadBytes > 0) {
        merges.add(merge());
      }
    }

    /** Adds the merge of these sections, unless one was merged already and has no dead bytes. */
    void endInto(List<SectionMerge> merges) {
      boolean isMergedAlready = count == 1 && isOfMerged && deadBytes == 0;
      if (!isEmpty() && !isMergedAlready) {
        merges.add(merge());
      }
    }
  }
}
