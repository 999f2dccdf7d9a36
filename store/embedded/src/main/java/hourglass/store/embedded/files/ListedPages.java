package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page files that the catalogue lists, with their sections that are in use. A file without such
 * a section is not listed any more. Thread-safe.
 */
final class ListedPages {
  // All fields are guarded by this.
  private final NavigableMap<Long, ListedFile> files = new TreeMap<>();

  /** The sections of each hour and class in use by the numbers of their files. */
  private final NavigableMap<ClassHour, NavigableMap<Long, ListedSection>> sections =
      new TreeMap<>();

  private List<Long> unlisted = new ArrayList<>();

  /** The pages that repairs took out of use, by hours and classes, and their numbers. */
  private final NavigableMap<ClassHour, NavigableMap<Long, LostPage>> lost = new TreeMap<>();

  /** The files with replaced bytes of an hour and class. */
  private final NavigableMap<ClassHour, Set<ListedFile>> replacedIn = new TreeMap<>();

  private static final class ListedFile {
    private final PageFileRecord record;
    private final Map<ClassHour, ListedSection> inUse = new TreeMap<>();
    private final Map<ClassHour, Long> replaced;
    private long goneBytes;
    private int goneSince;

    private ListedFile(PageFileRecord record) {
      this.record = record;
      this.replaced = new TreeMap<>(record.replaced());
      this.goneBytes = record.goneBytes();
      this.goneSince = record.goneSince();
    }

    private long liveBytes() {
      return inUse.values().stream().mapToLong(ListedSection::liveBytes).sum();
    }

    private long deadBytes() {
      long removed = inUse.values().stream().mapToLong(section -> section.deadBytes).sum();
      return replaced.values().stream().mapToLong(Long::longValue).sum() + goneBytes + removed;
    }

    private void replacedIsGone(ClassHour of, int since) {
      Long bytes = replaced.remove(of);
      if (bytes != null) {
        gone(bytes, since);
      }
    }

    private void gone(long bytes, int since) {
      goneBytes += bytes;
      goneSince = goneSince == 0 ? since : goneSince;
    }
  }

  private static final class ListedSection {
    private final ListedFile file;
    private final PageSection section;
    private long deadBytes;

    private ListedSection(ListedFile file, PageSection section) {
      this.file = file;
      this.section = section;
      this.deadBytes = section.deadBytes();
    }

    private long liveBytes() {
      return Math.max(0, section.bytes() - deadBytes);
    }
  }

  synchronized void add(PageFileRecord record) {
    ListedFile file = new ListedFile(record);
    files.put(record.number(), file);
    file.replaced.keySet().forEach(of -> hasReplaced(file, of));
    for (PageSection section : record.sections()) {
      ListedSection added = new ListedSection(file, section);
      NavigableMap<Long, ListedSection> all =
          sections.computeIfAbsent(section.of(), any -> new TreeMap<>());
      FileRange range = section.replaces();
      var replaced = all.subMap(range.from(), true, range.to(), false);
      List.copyOf(replaced.values()).forEach(this::replace);
      replaced.clear();
      section.removed().forEach((number, bytes) -> addDead(all.get(number), bytes));
      all.put(record.number(), added);
      file.inUse.put(section.of(), added);
    }
    unlistIfUnused(file);
  }

  private static void addDead(@Nullable ListedSection section, long bytes) {
    if (section != null) { // otherwise it was replaced meanwhile
      section.deadBytes += bytes;
    }
  }

  private void replace(ListedSection section) {
    ListedFile file = section.file;
    ClassHour of = section.section.of();
    file.replaced.merge(of, section.section.bytes(), Long::sum);
    hasReplaced(file, of);
    forget(section);
  }

  private void hasReplaced(ListedFile file, ClassHour of) {
    replacedIn.computeIfAbsent(of, any -> new HashSet<>()).add(file);
  }

  private void forget(ListedSection section) {
    section.file.inUse.remove(section.section.of());
    unlistIfUnused(section.file);
  }

  private void unlistIfUnused(ListedFile file) {
    if (file.inUse.isEmpty() && files.remove(file.record.number()) != null) {
      unlisted.add(file.record.number());
      file.replaced.keySet().forEach(of -> forgetReplaced(file, of));
    }
  }

  private void forgetReplaced(ListedFile file, ClassHour of) {
    replacedIn.computeIfPresent(
        of,
        (any, with) -> {
          with.remove(file);
          return with.isEmpty() ? null : with;
        });
  }

  synchronized void add(LostPage page) {
    lost.computeIfAbsent(page.of(), any -> new TreeMap<>()).put(page.page(), page);
  }

  synchronized void remove(CatalogueRecord.LossEnded ended) {
    lost.computeIfPresent(
        ended.of(),
        (any, pages) -> {
          pages.remove(ended.page());
          return pages.isEmpty() ? null : pages;
        });
  }

  /** Returns the lost pages of an hour and class. */
  synchronized List<LostPage> lost(ClassHour of) {
    NavigableMap<Long, LostPage> found = lost.get(of);
    return found == null ? List.of() : List.copyOf(found.values());
  }

  /** Returns the lost pages of the hours {@code [from, to]}. */
  synchronized List<LostPage> lost(Hour from, Hour to) {
    if (lost.isEmpty() || from.compareTo(to) > 0) {
      return List.of();
    }
    return lost.tailMap(new ClassHour("", from)).values().stream()
        .flatMap(pages -> pages.values().stream())
        .takeWhile(page -> page.of().hour().compareTo(to) <= 0)
        .toList();
  }

  synchronized void remove(CatalogueRecord.Gone gone) {
    lost.remove(gone.of());
    NavigableMap<Long, ListedSection> all = sections.remove(gone.of());
    if (all != null) {
      for (ListedSection section : all.values()) {
        section.file.gone(section.section.bytes(), gone.since());
        forget(section);
      }
    }
    for (ClassHour of : endedClasses(gone.of().hour())) {
      Set<ListedFile> with = replacedIn.remove(of);
      if (with != null) {
        with.forEach(file -> file.replacedIsGone(of, gone.since()));
      }
    }
  }

  /** Returns the classes of an hour that have replaced bytes only, and so no deletion of theirs. */
  private List<ClassHour> endedClasses(Hour hour) {
    return replacedIn.tailMap(new ClassHour("", hour)).keySet().stream()
        .takeWhile(of -> of.hour().equals(hour))
        .filter(of -> !sections.containsKey(of))
        .toList();
  }

  /** Returns the numbers of the files that have replaced bytes of an hour in any class. */
  synchronized Set<Long> withReplaced(Hour hour) {
    return replacedIn.tailMap(new ClassHour("", hour)).entrySet().stream()
        .takeWhile(each -> each.getKey().hour().equals(hour))
        .flatMap(each -> each.getValue().stream())
        .map(file -> file.record.number())
        .collect(Collectors.toSet());
  }

  /** Returns the files that are not listed any more since the last call. */
  synchronized List<Long> takeUnlisted() {
    List<Long> taken = unlisted;
    unlisted = new ArrayList<>();
    return taken;
  }

  synchronized List<ClassHour> hours() {
    return List.copyOf(sections.keySet());
  }

  synchronized List<String> classes(Hour hour) {
    return sections.tailMap(new ClassHour("", hour)).keySet().stream()
        .takeWhile(of -> of.hour().equals(hour))
        .map(ClassHour::retentionClass)
        .toList();
  }

  /** Returns the sections of an hour and class, the oldest first. */
  synchronized List<SectionInFile> sections(ClassHour of) {
    NavigableMap<Long, ListedSection> all = sections.get(of);
    return all == null
        ? List.of()
        : all.entrySet().stream()
            .map(
                each ->
                    new SectionInFile(
                        each.getKey(), each.getValue().section, each.getValue().liveBytes()))
            .toList();
  }

  /** The newest file with a section of an hour and class; 0 if there is none. */
  synchronized long newestFile(ClassHour of) {
    NavigableMap<Long, ListedSection> all = sections.get(of);
    return all == null || all.isEmpty() ? 0 : all.lastKey();
  }

  /** Returns what a new catalogue contains, the oldest file first. */
  synchronized List<PageFileRecord> records() {
    return files.values().stream().map(ListedPages::record).toList();
  }

  private static PageFileRecord record(ListedFile file) {
    PageFileRecord was = file.record;
    List<PageSection> inUse =
        was.sections().stream()
            .map(section -> file.inUse.get(section.of()))
            .filter(Objects::nonNull)
            .map(each -> each.section.withDead(each.deadBytes))
            .toList();
    return new PageFileRecord(
        was.number(),
        was.bytes(),
        was.newestGroup(),
        file.goneBytes,
        file.goneSince,
        inUse,
        file.replaced);
  }

  synchronized List<FileUse> files() {
    return files.values().stream()
        .map(
            file ->
                new FileUse(
                    file.record.number(),
                    file.record.bytes(),
                    file.liveBytes(),
                    file.deadBytes(),
                    file.goneBytes,
                    file.goneSince,
                    List.copyOf(file.inUse.keySet())))
        .toList();
  }

  /** The number of files, sections, hours with replaced bytes, and lost pages. */
  synchronized long entries() {
    return files.size()
        + sections.values().stream().mapToLong(Map::size).sum()
        + replacedIn.values().stream().mapToLong(Set::size).sum()
        + lost.values().stream().mapToLong(Map::size).sum();
  }

  synchronized long bytes() {
    return files.values().stream().mapToLong(file -> file.record.bytes()).sum();
  }

  synchronized long newestFile() {
    return files.isEmpty() ? 0 : files.lastKey();
  }

  synchronized long newestGroup() {
    return files.values().stream().mapToLong(file -> file.record.newestGroup()).max().orElse(0);
  }
}
