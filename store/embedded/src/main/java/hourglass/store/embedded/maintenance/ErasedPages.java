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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes erased columns out of the pages in use. Pages that have one are written anew, and later
 * those that share an index with replaced ones. The new pages have a log group of their own, so
 * that the marks of their row change. Not thread-safe.
 */
public final class ErasedPages {
  /** The pages of a commit, of which the next limits the bytes, since flushes wait. */
  private static final int PAGES_A_COMMIT = 2_048;

  private static final long BYTES_A_COMMIT = 4L << 20;

  /** The longest time for which pages of a commit are sought. */
  private static final long SEEK_NANOS_MAX = Duration.ofMillis(200).toNanos();

  private final Hours hours;
  private final PageFiles files;
  private final Compactor compactor;
  private final SectionMerger merger;
  private final SpaceGuard space;

  /** The last row of which no page was found that keeps a column, and the group at that time. */
  private @Nullable RowKey emptied;

  private long emptiedGroup;

  public ErasedPages(
      Hours hours, PageFiles files, Compactor compactor, SectionMerger merger, SpaceGuard space) {
    this.hours = hours;
    this.files = files;
    this.compactor = compactor;
    this.merger = merger;
    this.space = space;
  }

  /** Pages of rows that share a commit. */
  private static final class Batch {
    private final Map<Row, List<PageRef>> pages = new LinkedHashMap<>();
    private final long beganNanos = System.nanoTime();
    private int count;
    private long bytes;

    void add(PageRef page) {
      count++;
      bytes += page.payloadBytes();
    }

    boolean isFull() {
      return count >= PAGES_A_COMMIT || bytes >= BYTES_A_COMMIT;
    }

    boolean isOver() {
      return isFull() || System.nanoTime() - beganNanos >= SEEK_NANOS_MAX;
    }
  }

  /**
   * Pages of a row that have erased columns.
   *
   * @param next the first name of the page to go on with; null if the row has no more
   */
  private record Found(List<PageRef> pages, @Nullable TimeUuid next) {}

  /** Whether an hour has nothing on the disk that could have columns. */
  private boolean isGone(Hour hour) {
    return hours.known(hour, hour).isEmpty();
  }

  /**
   * Rewrites the next pages that have erased columns, as many as share a commit. Returns false if
   * the next row was written or sealed since the group was skipped, so that its mark would not
   * change; another group must be skipped, and what came before it flushed.
   *
   * @param walk a walk that is not over
   * @param group a log group that no write has, greater than those of all columns flushed then
   */
  boolean rewriteNext(TypeHourWalk walk, ErasedColumns erased, long group) throws IOException {
    Hour hour = walk.hour();
    if (isGone(hour)) {
      walk.leave(hour);
      return true;
    }
    try (PinnedHour pin = hours.pin(hour)) {
      LoadedHour state = pin.state();
      Batch batch = new Batch();
      RowKey key = walk.row(state);
      while (key != null && !batch.isOver()) {
        Row row = state.rowIfPresent(key);
        Found found = find(row, erased, walk.from(), batch);
        if (row != null && !found.pages().isEmpty()) {
          if (isNewer(row.content(), group)) {
            rewrite(state, batch, erased, group);
            return !batch.pages.isEmpty();
          }
          batch.pages.put(row, found.pages());
        }
        walk.goOn(found.next());
        key = found.next() == null ? walk.row(state) : null;
      }
      rewrite(state, batch, erased, group);
      return true;
    }
  }

  /**
   * Whether a row may have a manifest with the mark that it gets by a rewrite, or has an even newer
   * mark.
   */
  private static boolean isNewer(RowContent content, long group) {
    long newest = content.pagesGroup();
    return newest > group || newest == group && content.manifest() != null;
  }

  /** Returns whether the next rows of a walk have erased columns; seeks for a limited time. */
  boolean hasAny(TypeHourWalk walk, ErasedColumns erased) {
    Hour hour = walk.hour();
    if (isGone(hour)) {
      walk.leave(hour);
      return false;
    }
    try (PinnedHour pin = hours.pin(hour)) {
      Batch batch = new Batch();
      RowKey key = walk.row(pin.state());
      while (key != null && !batch.isOver()) {
        Found found = find(pin.state().rowIfPresent(key), erased, walk.from(), batch);
        if (!found.pages().isEmpty()) {
          return true;
        }
        walk.goOn(found.next());
        key = walk.row(pin.state());
      }
      return false;
    }
  }

  /**
   * Returns pages of a row that have erased columns, until the batch has enough. Pages that may
   * share names stay together if members are blanked, since the larger of two payloads is the one
   * to blank.
   */
  private static Found find(
      @Nullable Row row, ErasedColumns erased, @Nullable TimeUuid from, Batch batch) {
    HiddenColumns hidden = row == null ? null : erased.hidden(row.key());
    List<PageRef> found = new ArrayList<>();
    if (row == null || hidden == null) {
      return new Found(found, null);
    }
    TimeUuid before = null; // the first name of the page before
    TimeUuid reached = null; // the last name of those that were found
    for (PageRef page : row.content().pages()) {
      if (from != null && page.first().compareTo(from) < 0) {
        continue;
      }
      boolean isApart = !hidden.blanks() || reached == null || reached.compareTo(page.first()) < 0;
      if (before != null && !before.equals(page.first()) && isApart && batch.isOver()) {
        return new Found(found, page.first());
      }
      before = page.first();
      if (mayHave(page, hidden) && has(page, hidden)) {
        found.add(page);
        batch.add(page);
        reached = reached == null || reached.compareTo(page.last()) < 0 ? page.last() : reached;
      }
    }
    return new Found(found, null);
  }

  private void rewrite(LoadedHour state, Batch batch, ErasedColumns erased, long group)
      throws IOException {
    if (batch.pages.isEmpty()) {
      return;
    }
    space.checkFreeing(batch.bytes);
    List<Compactor.Rewrite> due = new ArrayList<>();
    batch.pages.forEach((row, pages) -> due.add(rewrite(row, pages, erased, group)));
    List<Compactor.Replacement> replaced;
    try (PageCommit commit = files.beginCommit()) {
      replaced = rewrite(commit, state, due);
      List<Compactor.Rewrite> marked = new ArrayList<>();
      for (Compactor.Replacement each : replaced) {
        PageRef page = each.after().isEmpty() ? pageToMark(each, erased, group) : null;
        if (page != null) {
          marked.add(rewrite(each.row(), List.of(page), erased, group));
        }
      }
      replaced.addAll(rewrite(commit, state, marked));
      commit.commit();
      replaced.forEach(Compactor.Replacement::show); // before any replaced file is deleted
    }
    // The manifests have erased names.
    batch.pages.keySet().forEach(row -> row.update(RowContent::withoutManifest));
    changed(state);
  }

  private static Compactor.Rewrite rewrite(
      Row row, List<PageRef> pages, ErasedColumns erased, long group) {
    HiddenColumns hidden = Objects.requireNonNull(erased.hidden(row.key()));
    return new Compactor.Rewrite(row, pages, group, hidden::apply);
  }

  private List<Compactor.Replacement> rewrite(
      PageCommit commit, LoadedHour state, List<Compactor.Rewrite> due) throws IOException {
    Map<Row, Compactor.Rewrite> byRow = new LinkedHashMap<>();
    due.forEach(each -> byRow.put(each.row(), each));
    List<Compactor.Replacement> replaced = new ArrayList<>();
    for (Map.Entry<HourPages, List<Row>> part :
        hours.byPages(state, List.copyOf(byRow.keySet())).entrySet()) {
      List<Compactor.Rewrite> ofPages =
          part.getValue().stream().map(row -> Objects.requireNonNull(byRow.get(row))).toList();
      replaced.addAll(compactor.rewrite(commit, part.getKey(), ofPages));
    }
    return replaced;
  }

  /**
   * Returns a page to write anew for the mark of a row whose pages vanish: otherwise its mark would
   * stay, and a manifest from before would be that of the row again. Null if the row has the mark
   * already, or loses its other pages too.
   */
  private @Nullable PageRef pageToMark(
      Compactor.Replacement vanished, ErasedColumns erased, long group) {
    RowKey key = vanished.row().key();
    HiddenColumns hidden = Objects.requireNonNull(erased.hidden(key));
    RowContent content = vanished.row().content();
    if (content.pagesGroup() >= group || (key.equals(emptied) && emptiedGroup == group)) {
      return null;
    }
    List<PageRef> left =
        content.pages().stream()
            .filter(page -> !vanished.before().contains(page))
            .sorted(Comparator.comparingLong(PageRef::payloadBytes))
            .toList();
    Projection read = hidden.blanks() ? Projection.COLUMNS : Projection.NAMES;
    PageRef found =
        left.stream()
            .filter(page -> !mayHave(page, hidden))
            .findFirst()
            .or(
                () ->
                    left.stream()
                        .filter(page -> !hidden.apply(page.load(read)).isEmpty())
                        .findFirst())
            .orElse(null);
    if (found == null) {
      emptied = key; // so that a large row that is erased whole is not searched with each commit
      emptiedGroup = group;
    }
    return found;
  }

  private void changed(LoadedHour state) {
    hours.setSealed(state.hour(), false);
    state.pages().forEach(pages -> merger.grew(pages.of()));
  }

  /**
   * Rewrites pages that share an index with pages not in use any more, as many as share a commit:
   * the values of those only go with the index, which ends with its last page. Returns true if the
   * hour has no more of them.
   */
  boolean rewriteIndexed(Hour hour) throws IOException {
    if (isGone(hour)) {
      return true;
    }
    try (PinnedHour pin = hours.pin(hour)) {
      LoadedHour state = pin.state();
      Batch batch = new Batch();
      for (HourPages pages : state.pages()) {
        for (PageMeta page : pages.indexedWithUnused()) {
          if (batch.isFull()) {
            break;
          }
          PageRef ref = new PageRef(pages, page);
          batch.pages.computeIfAbsent(state.row(page.row()), any -> new ArrayList<>()).add(ref);
          batch.add(ref);
        }
      }
      if (batch.pages.isEmpty()) {
        return true;
      }
      rewriteAsTheyAre(state, batch);
      return false;
    }
  }

  private void rewriteAsTheyAre(LoadedHour state, Batch batch) throws IOException {
    space.checkFreeing(batch.bytes);
    List<Compactor.Rewrite> due = new ArrayList<>();
    batch.pages.forEach(
        (row, pages) ->
            due.add(
                new Compactor.Rewrite(row, pages, row.content().pagesGroup(), columns -> columns)));
    try (PageCommit commit = files.beginCommit()) {
      List<Compactor.Replacement> replaced = rewrite(commit, state, due);
      commit.commit();
      replaced.forEach(Compactor.Replacement::show); // before any replaced file is deleted
    }
    changed(state);
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
    return hidden.changes(page.load(Projection.COLUMNS)); // which may be blanked already
  }
}
