package hourglass.store.embedded.files;

import hourglass.bucketing.Ticks;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.files.SectionDirectory.Added;
import hourglass.store.embedded.files.SectionDirectory.Entry;
import hourglass.store.embedded.files.SectionDirectory.Indexed;
import hourglass.store.pages.PageHeader;
import hourglass.store.rows.ValueIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads every byte of page files, and compares it with the checksums that cover it: head, pages,
 * indexes, directories and foot, also those that no read needs any more. Other bytes are damage
 * too, unless the foot counts them as left out. Not thread-safe.
 */
public final class PageFileCheck {
  private final PageSource files;
  private final Map<Long, PageFileRecord> listed;
  private final Consumer<Finding> sink;

  // The fields from here on are of the file that is being checked.
  private final Set<Long> damagedEntries = new HashSet<>();
  private int findings;
  private boolean isUnread;

  private PageFileCheck(
      PageSource files, Map<Long, PageFileRecord> listed, Consumer<Finding> sink) {
    this.files = files;
    this.listed = listed;
    this.sink = sink;
  }

  /** Creates a check of page files; {@code listed} are those that a catalogue lists. */
  public static PageFileCheck of(
      PageSource files, List<PageFileRecord> listed, Consumer<Finding> sink) {
    return new PageFileCheck(
        files,
        listed.stream().collect(Collectors.toMap(PageFileRecord::number, Function.identity())),
        sink);
  }

  /** Bytes of a file that one checksum covers, and the check of them. */
  private record Span(long from, long to, Runnable check) {}

  /**
   * The damage of a file.
   *
   * @param entries the numbers of damaged pages and indexes
   * @param hasDirectories whether the directories of all sections in use could be read
   * @param isUnread whether the disk did not return some bytes, which may be good
   */
  public record Result(int findings, Set<Long> entries, boolean hasDirectories, boolean isUnread) {
    public Result {
      entries = Set.copyOf(entries);
    }
  }

  /** Reads a file that exists. It need not be listed. */
  public Result check(long number) throws IOException {
    damagedEntries.clear();
    findings = 0;
    isUnread = false;
    boolean hasDirectories = read(number);
    return new Result(findings, damagedEntries, hasDirectories, isUnread);
  }

  /** Reads a file, and returns whether the directories of its sections could be read. */
  private boolean read(long number) throws IOException {
    long size = Files.size(files.path(number));
    PageFileRecord known = listed.get(number);
    PageFileRecord own = ownRecord(number);
    if (known != null && known.bytes() != size) {
      add(
          number,
          "%s bytes, but CATALOGUE lists %s".formatted(size, known.bytes()),
          "all events of " + known.sections().stream().map(PageSection::of).toList());
    }
    PageFileRecord record = own == null ? known : own;
    if (record == null) {
      add(number, "its bytes cannot be checked without a foot", Finding.NOTHING);
      return false;
    }
    List<Span> spans = new ArrayList<>();
    boolean hasDirectories = true;
    for (PageSection section : record.sections()) {
      hasDirectories &= addSpans(number, section, spans);
    }
    if (own != null && hasDirectories) {
      checkCover(number, record, spans, size);
    }
    for (Span span : spans) {
      span.check().run();
    }
    return hasDirectories;
  }

  /** Returns the record of all sections from the foot; null if that is damaged. */
  private @Nullable PageFileRecord ownRecord(long number) throws IOException {
    try {
      return PageFileFormat.read(files.path(number), number);
    } catch (CorruptException e) {
      report(new Finding(String.valueOf(e.getMessage()), Finding.NOTHING));
      return null;
    }
  }

  /** Adds the spans of a section; false if its directory is damaged, so that they are unknown. */
  private boolean addSpans(long number, PageSection section, List<Span> spans) {
    List<Entry> entries = new ArrayList<>();
    HourPages hour = new HourPages(files, section.of());
    try {
      hour.readDirectory(new SectionInFile(number, section, 0), entries::add);
    } catch (CorruptException e) {
      isUnread |= PositionalReader.isFailureOfDisk(e);
      boolean isInUse = hour.sections().stream().anyMatch(each -> each.file() == number);
      report(
          new Finding(
              String.valueOf(e.getMessage()),
              isInUse ? "all events of " + section.of() + " in this file" : Finding.NOTHING));
      return false;
    }
    spans.add(new Span(section.at(), section.at() + section.length(), () -> {})); // read above
    for (Entry entry : entries) {
      if (entry instanceof Added added) {
        PageMeta page = added.page();
        spans.add(span(page, () -> check(hour, page)));
      } else if (entry instanceof Indexed indexed) {
        IndexMeta index = indexed.index();
        spans.add(span(index, () -> check(hour, index)));
      }
    }
    return true;
  }

  private static Span span(FileEntry entry, Runnable check) {
    return new Span(entry.position(), entry.position() + entry.storedBytes(), check);
  }

  private void check(HourPages hour, PageMeta page) {
    try {
      byte[] bytes = hour.copyOf(page);
      PageHeader header = PageHeader.read(bytes);
      if (header.checksum() != page.checksum()) {
        throw new CorruptException("not the page listed");
      }
      header.checkBody(bytes);
    } catch (CorruptException e) {
      isUnread |= PositionalReader.isFailureOfDisk(e);
      damagedEntries.add(page.number());
      add(page.file(), page.describe() + ": " + e.getMessage(), lost(hour, page));
    }
  }

  private void check(HourPages hour, IndexMeta index) {
    try {
      ValueIndex.check(hour.copyOf(index), index.checksum());
    } catch (CorruptException e) {
      isUnread |= PositionalReader.isFailureOfDisk(e);
      damagedEntries.add(index.number());
      add(
          index.file(),
          index.describe() + ": " + e.getMessage(),
          "no event, but questions about values of its rows fail");
    }
  }

  private String lost(HourPages hour, PageMeta page) {
    return isLive(hour, page)
        ? "%s events of %s from %s to %s"
            .formatted(
                page.count(),
                page.row(),
                Ticks.text(page.first().ticks()),
                Ticks.text(page.last().ticks()))
        : Finding.NOTHING;
  }

  /** Whether reads need the page, as far as the other directories of its hour can be read. */
  private boolean isLive(HourPages hour, PageMeta page) {
    HourPages now = new HourPages(files, hour.of());
    try {
      now.load(Set.of(), (row, manifest) -> {});
    } catch (CorruptException e) {
      return true; // the damaged directory is a finding of its own
    }
    return now.pages().stream()
        .anyMatch(live -> live.number() == page.number() && live.file() == page.file());
  }

  /**
   * Reports bytes that no checksum covers, besides pages of hours that were left out while the file
   * was written. Of these, the foot has only the number of bytes.
   */
  private void checkCover(long number, PageFileRecord record, List<Span> spans, long size)
      throws IOException {
    long leftOut = record.replaced().values().stream().mapToLong(Long::longValue).sum();
    List<Span> all = new ArrayList<>(spans);
    all.add(new Span(size - PageFileFormat.foot(record).limit(), size, () -> {})); // read before
    all.sort(Comparator.comparingLong(Span::from).thenComparingLong(Span::to));
    List<String> gaps = new ArrayList<>();
    long uncovered = 0;
    long end = PageFileFormat.HEAD_BYTES; // read with the foot
    for (Span span : all) {
      if (span.from() < end) {
        add(number, "offset %s: entries overlap".formatted(span.from()), Finding.NOTHING);
      } else if (span.from() > end) {
        gaps.add("from offset %s to %s".formatted(end, span.from()));
        uncovered += span.from() - end;
      }
      end = Math.max(end, span.to());
    }
    if (uncovered != leftOut) {
      add(
          number,
          "no checksum covers the bytes %s; it should be %s bytes"
              .formatted(String.join(", ", gaps), leftOut),
          Finding.NOTHING);
    }
  }

  private void add(long number, String damage, String lost) {
    report(
        new Finding(files.path(number) + ": " + damage + "; restore the file from a backup", lost));
  }

  private void report(Finding finding) {
    findings++;
    sink.accept(finding);
  }
}
