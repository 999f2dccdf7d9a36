package hourglass.store.embedded.memory;

import hourglass.store.FieldFilter;
import hourglass.store.Manifest;
import hourglass.store.RowEntry.Mark;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.RowParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a row at one moment. Immutable: a reader sees each column in exactly the listed
 * parts, even during a flush.
 *
 * @param open the open runs, in the order of writes
 * @param manifest the manifest of the last seal; null if there was none
 * @param lostPages the number of pages that repairs took out of use
 */
public record RowContent(
    List<OpenRun> open, PartIndex<PageRef> index, @Nullable Manifest manifest, int lostPages) {
  public static final RowContent EMPTY =
      new RowContent(List.of(), PartIndex.of(List.of()), null, 0);

  /** Returns all parts, to read them. */
  public RowParts<RowPart> rowParts() {
    return new RowParts<>(index, open);
  }

  boolean isEmpty() {
    return open.isEmpty() && pages().isEmpty();
  }

  public List<PageRef> pages() {
    return index.parts();
  }

  public Stream<RowPart> parts() {
    return Stream.concat(pages().stream(), open.stream());
  }

  /** Returns whether a column may pass a filter, as far as that is known without reading pages. */
  boolean mayMatch(FieldFilter filter) {
    return !open.isEmpty() || pages().stream().anyMatch(page -> page.mayMatchUnread(filter));
  }

  public boolean hasOpenRuns(long segment) {
    return open.stream().anyMatch(run -> run.segment() <= segment);
  }

  /** Returns the runs up to and including a log segment. */
  public List<OpenRun> openUpTo(long segment) {
    return open.stream().filter(run -> run.segment() <= segment).toList();
  }

  /**
   * Returns the mark of the only writer, the commit log. It is the newest group of all parts, which
   * grows with every write and survives a restart. A repair adds another one, since manifests that
   * were made before count the columns of lost pages.
   */
  public List<Mark> marks() {
    Mark log = new Mark("log", parts().mapToLong(RowPart::group).max().orElse(0));
    return lostPages == 0 ? List.of(log) : List.of(log, new Mark("lost", lostPages));
  }

  RowContent withLostPage() {
    return new RowContent(open, index, manifest, lostPages + 1);
  }

  /** Returns the same with a lost page less. A row that is newer than its losses counts none. */
  RowContent withoutLostPage() {
    return new RowContent(open, index, manifest, Math.max(0, lostPages - 1));
  }

  /** Whether a manifest was made at the same time as that of the row, which has pages. */
  public boolean hasManifestOf(Manifest made) {
    return !pages().isEmpty() && manifest != null && manifest.marks().equals(made.marks());
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
    return new RowContent(runs, index, manifest, lostPages);
  }

  public RowContent withoutRuns() {
    return new RowContent(List.of(), index, manifest, lostPages);
  }

  /** Replaces the runs up to and including a log segment by pages. */
  public RowContent flushed(long segment, List<PageRef> added) {
    List<OpenRun> rest = open.stream().filter(run -> run.segment() > segment).toList();
    return new RowContent(rest, sorted(pages().stream(), added), manifest, lostPages);
  }

  public RowContent withoutManifest() {
    return new RowContent(open, index, null, lostPages);
  }

  public RowContent replaced(Set<PageRef> removed, List<PageRef> added) {
    Stream<PageRef> kept = pages().stream().filter(page -> !removed.contains(page));
    return new RowContent(open, sorted(kept, added), manifest, lostPages);
  }

  /** Replaces pages by their copies, which have the same numbers. */
  public RowContent moved(HourPages files, Map<Long, PageMeta> copies) {
    return new RowContent(
        open,
        PartIndex.of(pages().stream().map(page -> moved(page, files, copies)).toList()),
        manifest,
        lostPages);
  }

  private static PageRef moved(PageRef page, HourPages files, Map<Long, PageMeta> copies) {
    PageMeta copy = page.pages() == files ? copies.get(page.meta().number()) : null;
    return copy == null ? page : new PageRef(files, copy);
  }

  RowContent without(HourPages files) {
    Stream<PageRef> kept = pages().stream().filter(page -> page.pages() != files);
    return new RowContent(open, sorted(kept, List.of()), manifest, lostPages);
  }

  public boolean isSealed() {
    return manifest != null && manifest.marks().equals(marks());
  }

  public RowContent sealed(Manifest made) {
    return new RowContent(open, index, made, lostPages);
  }

  /** Returns the content with a manifest that was found, unless a newer one was found before. */
  RowContent newest(Manifest found) {
    return manifest == null || newestMark(found) >= newestMark(manifest) ? sealed(found) : this;
  }

  private static long newestMark(Manifest manifest) {
    return manifest.marks().stream().mapToLong(Mark::value).max().orElse(0);
  }

  private static PartIndex<PageRef> sorted(Stream<PageRef> pages, List<PageRef> added) {
    return PartIndex.of(Stream.concat(pages, added.stream()).toList());
  }
}
