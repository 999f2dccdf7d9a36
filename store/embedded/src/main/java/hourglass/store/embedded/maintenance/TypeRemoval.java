package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.PinnedHour;
import hourglass.store.embedded.memory.RowContent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the pages of some types from hours whose other types stay. A section of a new file lists
 * them as removed; then the hours are merged, so that their bytes leave the disk. The losses of
 * these types end too, with the bytes of their damaged pages. Columns that are in no page yet stay.
 * Not thread-safe.
 */
public final class TypeRemoval {
  private static final Logger logger = LoggerFactory.getLogger(TypeRemoval.class);

  /** The most hours that share a commit, and so a file and its forces. */
  private static final int HOURS_A_COMMIT = 256;

  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;

  /** The hours that lost pages, and had no time or room for their merge. */
  private final Set<ClassHour> unmerged = new LinkedHashSet<>();

  /** The pages of an hour in memory, and those that go from them, by row; lost ones go too. */
  private record Removed(
      LoadedHour state, HourPages pages, Map<RowKey, List<PageMeta>> gone, List<LostPage> lost) {
    static Removed of(LoadedHour state, HourPages pages, Set<String> types) {
      return new Removed(
          state,
          pages,
          pages.pages().stream()
              .filter(page -> types.contains(page.row().type()))
              .collect(Collectors.groupingBy(PageMeta::row)),
          pages.lost().stream().filter(page -> types.contains(page.row().type())).toList());
    }

    void show() {
      gone.keySet()
          .forEach(
              row ->
                  state
                      .row(row)
                      .update(content -> content.replaced(Set.copyOf(refs(content)), List.of())));
    }

    private List<PageRef> refs(RowContent content) {
      return content.pages().stream().filter(page -> page.pages() == pages).toList();
    }
  }

  public TypeRemoval(Hours hours, PageFiles files, SectionMerger merger) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
  }

  /**
   * Removes pages of types durably. If it fails, some hours may have lost theirs, and a repeat
   * removes the others.
   *
   * @param types the types that go, by hour
   * @return the hours that cannot be read, and so keep these types
   */
  Set<ClassHour> remove(Map<ClassHour, Set<String>> types) throws IOException {
    Set<ClassHour> unreadable = new HashSet<>();
    Deque<ClassHour> waiting = new ArrayDeque<>(types.keySet());
    while (!waiting.isEmpty()) {
      removeNext(waiting, types, unreadable);
    }
    types.keySet().stream().filter(of -> !hours.isIncomplete(of.hour())).forEach(unmerged::add);
    if (!unmerged.isEmpty()) {
      Set<ClassHour> left = merger.mergeDead(unmerged).left();
      unmerged.retainAll(left);
    }
    return unreadable;
  }

  /** Removes pages of the first hours that wait, as many as may be in memory at the same time. */
  private void removeNext(
      Deque<ClassHour> waiting, Map<ClassHour, Set<String>> types, Set<ClassHour> unreadable)
      throws IOException {
    List<Removed> removed = new ArrayList<>();
    List<PinnedHour> pinned = new ArrayList<>();
    int entries = 0;
    try (PageCommit commit = files.beginCommit()) {
      while (!waiting.isEmpty()
          && pinned.size() < HOURS_A_COMMIT
          && entries < SectionMerger.PINNED_ENTRIES_MAX) {
        ClassHour of = waiting.remove();
        PinnedHour pin = pin(of);
        if (pin == null) {
          unreadable.add(of);
          continue;
        }
        pinned.add(pin);
        entries += pin.state().entries();
        HourPages pages = pin.state().pages(of.retentionClass());
        if (pages != null) {
          removed.add(Removed.of(pin.state(), pages, types.getOrDefault(of, Set.of())));
        }
      }
      for (Removed each : removed) {
        if (!each.gone().isEmpty()) {
          commit
              .section(each.pages())
              .remove(each.gone().values().stream().flatMap(List::stream).toList());
        }
      }
      commit.commit();
      removed.forEach(Removed::show);
      endLosses(removed);
    } finally {
      pinned.forEach(PinnedHour::close);
    }
  }

  /** Ends the losses of the types, and deletes the bytes of their damaged pages. */
  private void endLosses(List<Removed> removed) throws IOException {
    List<LostPage> ended = removed.stream().flatMap(each -> each.lost().stream()).toList();
    if (ended.isEmpty()) {
      return;
    }
    files.catalogue().lossesEnded(ended);
    removed.forEach(each -> each.lost().forEach(each.state()::lossEnded));
    try {
      files.aside().deleteUnused();
    } catch (IOException e) {
      logger.warn("bytes of damaged pages cannot be deleted, tried again later: {}", e.toString());
    }
  }

  private @Nullable PinnedHour pin(ClassHour of) {
    try {
      return hours.pin(of.hour());
    } catch (CorruptException e) {
      logger.warn("{}: no type can be removed from it: {}", of, e.getMessage());
      return null;
    }
  }
}
