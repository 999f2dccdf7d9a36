package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import hourglass.store.embedded.files.SectionDirectory.Added;
import hourglass.store.embedded.files.SectionDirectory.Entry;
import hourglass.store.embedded.files.SectionDirectory.Indexed;
import hourglass.store.embedded.files.SectionDirectory.Removed;
import hourglass.store.embedded.files.SectionDirectory.Sealed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The content that remains of the sections of an hour in a range of files: their pages in use, byte
 * for byte, in the order of their rows. The copy comes after all sections of the hour, so it leaves
 * out pages that any of them removed, and manifests that were replaced. Not thread-safe.
 */
public final class SectionCopy {
  private final HourPages hour;
  private final FileRange range;
  private final BiPredicate<RowKey, Manifest> isCurrent;
  private final Map<Long, PageMeta> pages = new HashMap<>();
  private final List<IndexMeta> indexes = new ArrayList<>();
  private final List<Removed> removed = new ArrayList<>();
  private final Map<RowKey, Manifest> sealed = new LinkedHashMap<>();

  /** The numbers of all pages in the range, in use or not. */
  private final Set<Long> found = new HashSet<>();

  private SectionCopy(HourPages hour, FileRange range, BiPredicate<RowKey, Manifest> isCurrent) {
    this.hour = hour;
    this.range = range;
    this.isCurrent = isCurrent;
  }

  /**
   * Reads the directories of the sections of an hour in a range of files.
   *
   * @param isCurrent whether a manifest is that of its row now
   * @throws hourglass.store.CorruptException if a directory is damaged
   */
  public static SectionCopy of(
      HourPages hour, FileRange range, BiPredicate<RowKey, Manifest> isCurrent) {
    SectionCopy copy = new SectionCopy(hour, range, isCurrent);
    boolean hasOlder = false;
    for (SectionInFile each : hour.sections()) {
      if (range.contains(each.file())) {
        hour.readDirectory(each, copy::take);
      } else {
        hasOlder |= each.file() < range.from();
      }
    }
    if (hasOlder) { // they may have pages that these sections removed
      copy.removed.removeIf(each -> copy.found.contains(each.page()));
    } else {
      copy.removed.clear();
    }
    return copy;
  }

  /** Leaves out pages and indexes by their numbers. Returns this. */
  public SectionCopy without(Set<Long> numbers) {
    pages.keySet().removeAll(numbers);
    indexes.removeIf(index -> numbers.contains(index.number()));
    return this;
  }

  private void take(Entry entry) {
    if (entry instanceof Added added) {
      found.add(added.page().number());
      if (hour.isInUse(added.page())) {
        pages.put(added.page().number(), added.page());
      }
    } else if (entry instanceof Indexed indexed) {
      indexes.add(indexed.index());
    } else if (entry instanceof Removed earlier) {
      removed.add(earlier);
    } else if (entry instanceof Sealed row && isCurrent.test(row.row(), row.manifest())) {
      sealed.put(row.row(), row.manifest());
    }
  }

  /** Whether nothing remains of the sections. */
  public boolean isEmpty() {
    return pages.isEmpty() && removed.isEmpty() && sealed.isEmpty();
  }

  /**
   * Writes a section of a commit that replaces those of the range. Returns the copies of pages by
   * their numbers.
   *
   * @throws hourglass.store.CorruptException if the disk does not return the bytes of a page
   */
  public Map<Long, PageMeta> writeTo(PageCommit commit) throws IOException {
    NewSection section = commit.merged(hour, range);
    Map<Long, PageMeta> copies = new HashMap<>();
    List<PageMeta> inOrder =
        pages.values().stream()
            .sorted(Comparator.comparing(PageMeta::row).thenComparing(PageMeta::first))
            .toList();
    for (PageMeta page : inOrder) {
      copies.put(page.number(), section.copy(page));
    }
    for (IndexMeta index : indexes) {
      if (index.pages().stream().anyMatch(pages::containsKey)) {
        section.copy(index);
      }
    }
    removed.forEach(section::keep);
    sealed.forEach(section::seal);
    return copies;
  }
}
