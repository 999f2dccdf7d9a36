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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the newest sections of an hour into one, byte for byte. Pages that were replaced are left
 * out, and those of a row lie one after the other. Not thread-safe.
 */
public final class SectionCopy {
  private final Map<Long, PageMeta> pages = new HashMap<>();
  private final List<IndexMeta> indexes = new ArrayList<>();

  /** The removals of pages that are in older sections than those that are merged. */
  private final List<Removed> removed = new ArrayList<>();

  private final Map<RowKey, Manifest> sealed = new LinkedHashMap<>();

  private SectionCopy() {}

  /**
   * Copies the sections of an hour in the files {@code [fromFile, newest]} to a section of a commit
   * that replaces them. Returns the copies of pages by their numbers.
   *
   * @throws hourglass.store.CorruptException if a directory is damaged, or the disk does not return
   *     the bytes of a page
   */
  public static Map<Long, PageMeta> copy(PageCommit commit, HourPages hour, long fromFile)
      throws IOException {
    SectionCopy copy = new SectionCopy();
    for (SectionInFile each : hour.sections()) {
      if (each.file() >= fromFile) {
        hour.readDirectory(each, copy::take);
      }
    }
    return copy.writeTo(commit.merged(hour, fromFile));
  }

  private void take(Entry entry) {
    if (entry instanceof Added added) {
      pages.put(added.page().number(), added.page());
    } else if (entry instanceof Indexed indexed) {
      indexes.add(indexed.index());
    } else if (entry instanceof Removed earlier) {
      if (pages.remove(earlier.page()) == null) {
        removed.add(earlier);
      }
    } else if (entry instanceof Sealed row) {
      sealed.put(row.row(), row.manifest());
    }
  }

  private Map<Long, PageMeta> writeTo(NewSection section) throws IOException {
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
