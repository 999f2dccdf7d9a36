package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.embedded.files.SectionDirectory.Added;
import hourglass.store.embedded.files.SectionDirectory.Entry;
import hourglass.store.embedded.files.SectionDirectory.Indexed;
import hourglass.store.embedded.files.SectionDirectory.Removed;
import hourglass.store.embedded.files.SectionDirectory.Sealed;
import hourglass.store.pages.PageHeader;
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.ValueIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A section of a page file that is being written. Its pages become visible with {@link
 * PageCommit#commit}. Not thread-safe.
 */
public final class NewSection {
  private final HourPages hour;
  private final PageSection.Kind kind;
  private final long replacesFrom;
  private final long file;
  private final PageFileWriter writer;
  private final List<PageMeta> pages = new ArrayList<>();
  private final List<IndexMeta> indexes = new ArrayList<>();
  private final List<Removed> removed = new ArrayList<>();
  private final List<Sealed> sealed = new ArrayList<>();

  /** The bytes of earlier sections that end with this one, by file. */
  private final Map<Long, Long> removedBytes = new HashMap<>();

  private long newestGroup;
  private long storedBytes;

  NewSection(
      HourPages hour, PageSection.Kind kind, long replacesFrom, long file, PageFileWriter writer) {
    this.hour = hour;
    this.kind = kind;
    this.replacesFrom = replacesFrom;
    this.file = file;
    this.writer = writer;
  }

  HourPages hour() {
    return hour;
  }

  List<PageMeta> pages() {
    return pages;
  }

  List<IndexMeta> indexes() {
    return indexes;
  }

  List<Removed> removed() {
    return removed;
  }

  long newestGroup() {
    return newestGroup;
  }

  PageMeta put(RowKey row, long number, byte[] bytes, long group, @Nullable NameRanges names)
      throws IOException {
    PageHeader header = PageHeader.read(bytes);
    PageMeta page =
        new PageMeta(
            row,
            number,
            file,
            writer.append(ByteBuffer.wrap(bytes)),
            bytes.length,
            header.checksum(),
            header.count(),
            header.payloadBytes(),
            header.first(),
            header.last(),
            group,
            MinuteCounts.ofAll(header.columnsByMinute()),
            names);
    add(page);
    return page;
  }

  private void add(PageMeta page) {
    pages.add(page);
    storedBytes += page.storedBytes();
    newestGroup = Math.max(newestGroup, page.group());
  }

  /** Puts an index of pages that were put before. */
  void putIndex(RowKey row, long number, byte[] bytes, List<Long> of) throws IOException {
    add(
        new IndexMeta(
            row,
            number,
            file,
            writer.append(ByteBuffer.wrap(bytes)),
            bytes.length,
            ValueIndex.checksum(bytes),
            of));
  }

  private void add(IndexMeta index) {
    indexes.add(index);
    storedBytes += index.storedBytes();
  }

  /** Copies a page of an earlier section, byte for byte, even if it is damaged. */
  PageMeta copy(PageMeta page) throws IOException {
    PageMeta copy = page.at(file, writer.append(ByteBuffer.wrap(hour.copyOf(page))));
    add(copy);
    return copy;
  }

  void copy(IndexMeta index) throws IOException {
    add(index.at(file, writer.append(ByteBuffer.wrap(hour.copyOf(index)))));
  }

  /** Keeps a removal of an earlier section that this one replaces. */
  void keep(Removed earlier) {
    removed.add(earlier);
  }

  /** Removes pages of earlier sections. */
  public void remove(Collection<PageMeta> earlier) {
    Set<Long> numbers = new HashSet<>();
    for (PageMeta page : earlier) {
      numbers.add(page.number());
      removed.add(new Removed(page.number()));
      removedBytes.merge(page.file(), (long) page.storedBytes(), Long::sum);
    }
    for (IndexMeta ended : hour.indexesOfOnly(numbers)) {
      removedBytes.merge(ended.file(), (long) ended.storedBytes(), Long::sum);
    }
  }

  public void seal(RowKey row, Manifest manifest) {
    sealed.add(new Sealed(row, manifest));
  }

  /** Writes the directory, and returns the section as the catalogue lists it. */
  PageSection end() throws IOException {
    List<Entry> entries = new ArrayList<>();
    pages.forEach(page -> entries.add(new Added(page)));
    indexes.forEach(index -> entries.add(new Indexed(index)));
    entries.addAll(removed);
    entries.addAll(sealed);
    byte[] directory = SectionDirectory.encode(entries);
    long at = writer.append(ByteBuffer.wrap(directory));
    return new PageSection(
        hour.of(),
        kind,
        replacesFrom,
        at,
        directory.length,
        PageFiles.checksum(directory),
        storedBytes + directory.length,
        0,
        removedBytes);
  }
}
