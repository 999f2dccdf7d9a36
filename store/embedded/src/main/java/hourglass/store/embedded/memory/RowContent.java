package hourglass.store.embedded.memory;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry.Mark;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a row at one moment. Immutable: a reader sees each column in exactly the listed
 * parts, even during a flush.
 *
 * @param open in the order of writes
 * @param manifest of the last seal; null if there was none
 */
public record RowContent(List<OpenRun> open, PageIndex index, @Nullable Manifest manifest) {
  public static final RowContent EMPTY = new RowContent(List.of(), PageIndex.EMPTY, null);

  private static final Comparator<PageRef> BY_FIRST = Comparator.comparing(PageRef::first);

  /** Some parts of a row. */
  static RowContent of(List<RowPart> parts) {
    List<OpenRun> runs = new ArrayList<>();
    List<PageRef> pages = new ArrayList<>();
    for (RowPart part : parts) {
      if (part instanceof OpenRun run) {
        runs.add(run);
      } else if (part instanceof PageRef page) {
        pages.add(page);
      }
    }
    return new RowContent(runs, sorted(Stream.empty(), pages), null);
  }

  /**
   * Without pages of the wanted range that cannot match by their index. They have no name in common
   * with other parts, so no payload that stays in the row is lost.
   *
   * @param filtered where columns may be left out
   */
  RowContent matching(FieldFilter filter, ColumnRange filtered, ColumnRange wanted) {
    if (filter.required().isEmpty()) {
      return this;
    }
    List<PageRef> kept = new ArrayList<>();
    ColumnRange unflushed = openSpan();
    for (int i = 0; i < pages().size(); i++) {
      PageRef page = pages().get(i);
      if (!page.overlaps(wanted)
          || !page.isWithin(filtered)
          || index.sharing().get(i)
          || page.mayMatchByIndex(filter)
          || page.overlaps(unflushed) && open.stream().anyMatch(run -> mayShare(page, run))) {
        kept.add(page);
      }
    }
    return kept.size() == pages().size()
        ? this
        : new RowContent(open, new PageIndex(kept), manifest);
  }

  /** From the first name of all runs to the last one; empty without runs. */
  private ColumnRange openSpan() {
    TimeUuid first = null;
    TimeUuid last = null;
    for (OpenRun run : open) {
      first = first == null || run.first().compareTo(first) < 0 ? run.first() : first;
      last = last == null || run.last().compareTo(last) > 0 ? run.last() : last;
    }
    return first == null || last == null
        ? ColumnRange.EMPTY
        : new ColumnRange(first, last.successor());
  }

  private static boolean mayShare(PageRef page, OpenRun run) {
    NameRanges names = page.names();
    return page.overlaps(new ColumnRange(run.first(), run.last().successor()))
        && (names == null || names.mayShareWith(run.names()));
  }

  boolean isEmpty() {
    return open.isEmpty() && pages().isEmpty();
  }

  public List<PageRef> pages() {
    return index.pages();
  }

  public Stream<RowPart> parts() {
    return Stream.concat(pages().stream(), open.stream());
  }

  public boolean hasOpenRuns(long segment) {
    return open.stream().anyMatch(run -> run.segment() <= segment);
  }

  /** The runs up to and including a log segment. */
  public List<OpenRun> openUpTo(long segment) {
    return open.stream().filter(run -> run.segment() <= segment).toList();
  }

  /**
   * The only writer is the commit log. Its mark is the newest group of all parts, which grows with
   * every write and survives a restart.
   */
  public List<Mark> marks() {
    return List.of(new Mark("log", parts().mapToLong(RowPart::group).max().orElse(0)));
  }

  public long pagesGroup() {
    return pages().stream().mapToLong(PageRef::group).max().orElse(0);
  }

  public RowContent withRun(OpenRun run) {
    List<OpenRun> runs = new ArrayList<>(open.size() + 1);
    runs.addAll(open);
    OpenRun newest = run;
    while (!runs.isEmpty() && runs.get(runs.size() - 1).mergesWith(newest)) {
      newest = runs.remove(runs.size() - 1).mergedWith(newest);
    }
    runs.add(newest);
    return new RowContent(runs, index, manifest);
  }

  public RowContent withoutRuns() {
    return new RowContent(List.of(), index, manifest);
  }

  /** Up to and including a log segment. */
  public RowContent flushed(long segment, List<PageRef> added) {
    List<OpenRun> rest = open.stream().filter(run -> run.segment() > segment).toList();
    return new RowContent(rest, sorted(pages().stream(), added), manifest);
  }

  public RowContent replaced(Set<PageRef> removed, List<PageRef> added) {
    Stream<PageRef> kept = pages().stream().filter(page -> !removed.contains(page));
    return new RowContent(open, sorted(kept, added), manifest);
  }

  public RowContent moved(PageFiles files, Map<PageMeta, PageMeta> copies) {
    Stream<PageRef> now =
        pages().stream()
            .map(
                page ->
                    copies.containsKey(page.meta())
                        ? new PageRef(files, copies.get(page.meta()))
                        : page);
    return new RowContent(open, sorted(now, List.of()), manifest);
  }

  RowContent without(@Nullable PageFiles files) {
    Stream<PageRef> kept = pages().stream().filter(page -> page.files() != files);
    return new RowContent(open, sorted(kept, List.of()), manifest);
  }

  public boolean isSealed() {
    return manifest != null && manifest.marks().equals(marks());
  }

  public RowContent sealed(Manifest made) {
    return new RowContent(open, index, made);
  }

  private static PageIndex sorted(Stream<PageRef> pages, List<PageRef> added) {
    return new PageIndex(Stream.concat(pages, added.stream()).sorted(BY_FIRST).toList());
  }
}
