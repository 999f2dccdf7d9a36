package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
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

  private static final class ListedFile {
    private final PageFileRecord record;
    private final Map<ClassHour, ListedSection> inUse = new TreeMap<>();
    private long replacedBytes;
    private long goneBytes;
    private int goneSince;

    private ListedFile(PageFileRecord record) {
      this.record = record;
      this.replacedBytes = record.replacedBytes();
      this.goneBytes = record.goneBytes();
      this.goneSince = record.goneSince();
    }

    private long liveBytes() {
      return inUse.values().stream().mapToLong(ListedSection::liveBytes).sum();
    }

    private long deadBytes() {
      long removed = inUse.values().stream().mapToLong(section -> section.deadBytes).sum();
      return replacedBytes + goneBytes + removed;
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
    for (PageSection section : record.sections()) {
      ListedSection added = new ListedSection(file, section);
      NavigableMap<Long, ListedSection> all =
          sections.computeIfAbsent(section.of(), any -> new TreeMap<>());
      var replaced = all.subMap(section.replacesFrom(), true, record.number(), false);
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
    section.file.replacedBytes += section.section.bytes();
    forget(section);
  }

  private void forget(ListedSection section) {
    section.file.inUse.remove(section.section.of());
    unlistIfUnused(section.file);
  }

  private void unlistIfUnused(ListedFile file) {
    if (file.inUse.isEmpty() && files.remove(file.record.number()) != null) {
      unlisted.add(file.record.number());
    }
  }

  synchronized void remove(CatalogueRecord.Gone gone) {
    NavigableMap<Long, ListedSection> all = sections.remove(gone.of());
    if (all != null) {
      for (ListedSection section : all.values()) {
        ListedFile file = section.file;
        file.goneBytes += section.section.bytes();
        file.goneSince = file.goneSince == 0 ? gone.since() : file.goneSince;
        forget(section);
      }
    }
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
        file.replacedBytes,
        file.goneBytes,
        file.goneSince,
        inUse);
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

  /** The number of files and sections. */
  synchronized long entries() {
    return files.size() + sections.values().stream().mapToLong(Map::size).sum();
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
