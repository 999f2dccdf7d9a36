package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Removes the pages of some types from an hour whose other types stay. A section of a new file
 * lists them as removed; then the hour is merged, so that their bytes leave the disk. Columns that
 * are in no page yet stay. Not thread-safe.
 */
public final class TypeRemoval {
  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;

  public TypeRemoval(Hours hours, PageFiles files, SectionMerger merger) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
  }

  /** Removes pages durably, all or none. */
  void remove(ClassHour of, Set<String> types) throws IOException {
    hours.<Void, IOException>with(
        of.hour(),
        state -> {
          HourPages pages = state.pages(of.retentionClass());
          if (pages != null) {
            remove(state, pages, types);
          }
          return null;
        });
    if (!hours.isIncomplete(of.hour())) {
      merger.mergeSealed(List.of(of));
    }
  }

  private void remove(LoadedHour state, HourPages pages, Set<String> types) throws IOException {
    Map<RowKey, List<PageMeta>> gone =
        pages.pages().stream()
            .filter(page -> types.contains(page.row().type()))
            .collect(Collectors.groupingBy(PageMeta::row));
    if (gone.isEmpty()) {
      return;
    }
    try (PageCommit commit = files.beginCommit()) {
      commit.section(pages).remove(gone.values().stream().flatMap(List::stream).toList());
      commit.commit();
    }
    gone.keySet().forEach(row -> forget(state, row, pages));
  }

  private static void forget(LoadedHour state, RowKey row, HourPages pages) {
    state
        .row(row)
        .update(
            content -> {
              Set<PageRef> removed =
                  content.pages().stream()
                      .filter(page -> page.pages() == pages)
                      .collect(Collectors.toSet());
              return content.replaced(removed, List.of());
            });
  }
}
