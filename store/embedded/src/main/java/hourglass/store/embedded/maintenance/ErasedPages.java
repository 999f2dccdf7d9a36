package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.PinnedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.HiddenColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes erased columns out of the pages in use. Pages that have one are written anew, and so are
 * those that share an index with them. The new pages have a log group of their own, so that the
 * marks of their row change. Not thread-safe.
 */
public final class ErasedPages {
  /** The pages of a commit, of which the next limits the bytes, since flushes wait. */
  private static final int PAGES_A_COMMIT = 2_048;

  private static final long BYTES_A_COMMIT = 4L << 20;

  private final Hours hours;
  private final PageFiles files;
  private final Compactor compactor;
  private final SectionMerger merger;
  private final SpaceGuard space;

  public ErasedPages(
      Hours hours, PageFiles files, Compactor compactor, SectionMerger merger, SpaceGuard space) {
    this.hours = hours;
    this.files = files;
    this.compactor = compactor;
    this.merger = merger;
    this.space = space;
  }

  /** Whether an hour has nothing on the disk that could have columns. */
  private boolean isGone(Hour hour) {
    return hours.known(hour, hour).isEmpty();
  }

  /**
   * Rewrites pages of the first rows, as many as share a commit, and removes those rows. A row with
   * more pages stays the first one.
   *
   * @param rows at least one, sorted; only rows of the first one's hour are taken
   * @param group a log group that no write has, greater than those of all flushed columns
   */
  void rewriteNext(Deque<RowKey> rows, ErasedColumns erased, long group) throws IOException {
    Hour hour = rows.element().hour();
    if (isGone(hour)) {
      rows.removeIf(row -> row.hour().equals(hour));
      return;
    }
    try (PinnedHour pin = hours.pin(hour)) {
      Map<RowKey, Set<PageRef>> due = new LinkedHashMap<>();
      int pages = 0;
      long bytes = 0;
      while (!rows.isEmpty()
          && rows.element().hour().equals(hour)
          && pages < PAGES_A_COMMIT
          && bytes < BYTES_A_COMMIT) {
        RowKey key = rows.remove();
        Row row = pin.state().rowIfPresent(key);
        HiddenColumns hidden = row == null ? null : hiddenNow(row, erased, group);
        if (row != null && hidden != null) {
          List<PageRef> found = pagesWith(row.content(), hidden);
          List<PageRef> taken = first(found, BYTES_A_COMMIT - bytes);
          pages += taken.size();
          bytes += taken.stream().mapToLong(PageRef::payloadBytes).sum();
          due.put(key, new HashSet<>(taken));
          if (taken.size() < found.size()) {
            rows.addFirst(key);
            break;
          }
        }
      }
      due.values().removeIf(Set::isEmpty);
      addIndexed(pin.state(), due);
      if (!due.isEmpty()) {
        rewrite(pin.state(), due, erased, group);
      }
    }
  }

  /**
   * Returns the erased columns of a row; null if it has none, or if it has a manifest with a newer
   * mark. That mark would not change, so such a row is for the next round, which has a newer group.
   */
  private static @Nullable HiddenColumns hiddenNow(Row row, ErasedColumns erased, long group) {
    RowContent content = row.content();
    boolean isSealedSince = content.isSealed() && content.pagesGroup() >= group;
    return isSealedSince ? null : erased.hidden(row.key());
  }

  /** Adds pages that share an index with others, since its values are only removed with it. */
  private static void addIndexed(LoadedHour state, Map<RowKey, Set<PageRef>> due) {
    for (HourPages pages : state.pages()) {
      Set<Long> numbers =
          due.values().stream()
              .flatMap(Set::stream)
              .filter(page -> page.pages() == pages)
              .map(page -> page.meta().number())
              .collect(Collectors.toSet());
      for (PageMeta page : pages.indexedWith(numbers)) {
        due.computeIfAbsent(page.row(), any -> new HashSet<>()).add(new PageRef(pages, page));
      }
    }
  }

  private void rewrite(
      LoadedHour state, Map<RowKey, Set<PageRef>> due, ErasedColumns erased, long group)
      throws IOException {
    space.checkFreeing(
        due.values().stream().flatMap(Set::stream).mapToLong(PageRef::payloadBytes).sum());
    List<Row> rows = due.keySet().stream().map(state::row).toList();
    List<Row> erasedFrom =
        rows.stream().filter(row -> hiddenNow(row, erased, group) != null).toList();
    List<Compactor.Replacement> replaced = new ArrayList<>();
    try (PageCommit commit = files.beginCommit()) {
      for (Map.Entry<HourPages, List<Row>> part : hours.byPages(state, rows).entrySet()) {
        List<Compactor.Rewrite> rewrites = new ArrayList<>();
        for (Row row : part.getValue()) {
          rewrites.add(
              rewrite(row, List.copyOf(due.getOrDefault(row.key(), Set.of())), erased, group));
        }
        replaced.addAll(compactor.rewrite(commit, part.getKey(), rewrites));
      }
      commit.commit();
      replaced.forEach(Compactor.Replacement::show); // before any replaced file is deleted
    }
    erasedFrom.forEach(row -> row.update(RowContent::withoutManifest)); // it has erased names
    hours.setSealed(state.hour(), false);
    state.pages().forEach(pages -> merger.grew(pages.of()));
  }

  private static Compactor.Rewrite rewrite(
      Row row, List<PageRef> pages, ErasedColumns erased, long group) {
    HiddenColumns hidden = hiddenNow(row, erased, group);
    return hidden == null
        ? new Compactor.Rewrite(row, pages, row.content().pagesGroup(), columns -> columns)
        : new Compactor.Rewrite(row, pages, group, hidden::apply);
  }

  /** Returns whether pages of any of these rows have erased columns. */
  boolean hasAny(Collection<RowKey> rows, ErasedColumns erased) {
    Map<Hour, List<RowKey>> byHour = new HashMap<>();
    rows.forEach(row -> byHour.computeIfAbsent(row.hour(), any -> new ArrayList<>()).add(row));
    for (Map.Entry<Hour, List<RowKey>> each : byHour.entrySet()) {
      if (!isGone(each.getKey()) && hasAny(each.getKey(), each.getValue(), erased)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasAny(Hour hour, List<RowKey> rows, ErasedColumns erased) {
    try (PinnedHour pin = hours.pin(hour)) {
      for (RowKey key : rows) {
        Row row = pin.state().rowIfPresent(key);
        HiddenColumns hidden = erased.hidden(key);
        if (row != null && hidden != null && !pagesWith(row.content(), hidden).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the pages of a row that have erased columns, in the order of their first names. */
  private static List<PageRef> pagesWith(RowContent content, HiddenColumns hidden) {
    return content.pages().stream()
        .filter(page -> mayHave(page, hidden) && has(page, hidden))
        .toList();
  }

  /**
   * Returns the first pages of a row, at least one, until they have so many bytes. Pages that may
   * share names stay together, since the larger of two payloads is the one to blank.
   */
  private static List<PageRef> first(List<PageRef> pages, long bytesMax) {
    long bytes = 0;
    TimeUuid reached = null;
    for (int i = 0; i < pages.size(); i++) {
      PageRef page = pages.get(i);
      boolean isApart = reached != null && reached.compareTo(page.first()) < 0;
      if (isApart && bytes >= bytesMax) {
        return pages.subList(0, i);
      }
      bytes += page.payloadBytes();
      reached = reached == null || reached.compareTo(page.last()) < 0 ? page.last() : reached;
    }
    return pages;
  }

  /** Whether an erased name lies between the first and the last one of a page. */
  private static boolean mayHave(PageRef page, HiddenColumns hidden) {
    for (HiddenColumns.Part part : hidden.parts()) {
      Columns names = part.names();
      int next = names.lowerBound(page.first());
      if (next < names.size() && names.id(next).compareTo(page.last()) <= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(PageRef page, HiddenColumns hidden) {
    if (!hidden.concerns(page.load(Projection.NAMES))) {
      return false;
    }
    if (!hidden.blanks()) {
      return true;
    }
    Columns before = page.load(Projection.COLUMNS); // which may be blanked already
    return !isSame(before, hidden.apply(before));
  }

  private static boolean isSame(Columns before, Columns after) {
    if (before.size() != after.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (Columns.comparePayloads(before, i, after, i) != 0) {
        return false;
      }
    }
    return true;
  }
}
