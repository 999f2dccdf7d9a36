package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Manifest;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.SectionDirectory.Added;
import hourglass.store.embedded.files.SectionDirectory.Entry;
import hourglass.store.embedded.files.SectionDirectory.Indexed;
import hourglass.store.embedded.files.SectionDirectory.Removed;
import hourglass.store.embedded.files.SectionDirectory.Sealed;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.PageHeader;
import hourglass.store.rows.ValueIndex;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an hour and retention class that are in use, in any page files. Many threads may
 * read, one at a time may write.
 */
public final class HourPages {
  private static final ThreadLocal<PageCodec> CODEC = ThreadLocal.withInitial(PageCodec::new);

  private final PageSource files;
  private final ClassHour of;
  private final Map<Long, PageMeta> live = new ConcurrentHashMap<>();
  private final ListedIndexes indexes = new ListedIndexes(this::read);

  /** The number of times that a change of the pages began or ended: odd while one goes on. */
  private final AtomicInteger changes = new AtomicInteger();

  /** Creates the pages of an hour; {@link #load} reads their places. Nothing is written. */
  public HourPages(PageSource files, ClassHour of) {
    this.files = files;
    this.of = of;
  }

  public ClassHour of() {
    return of;
  }

  /**
   * Reads the directories of the listed sections, and passes on the manifests, the newest of a row
   * last.
   *
   * @param filesMissing the files that are not read
   * @throws CorruptException if a directory is damaged
   */
  public void load(Set<Long> filesMissing, BiConsumer<RowKey, Manifest> sealed) {
    for (SectionInFile each : sections()) {
      if (!filesMissing.contains(each.file())) {
        readDirectory(each, entry -> load(entry, sealed));
      }
    }
    indexes.retain(live.keySet());
  }

  private void load(Entry entry, BiConsumer<RowKey, Manifest> sealed) {
    if (entry instanceof Added added) {
      putLive(added.page());
    } else if (entry instanceof Indexed indexed) {
      putLive(indexed.index());
    } else if (entry instanceof Removed removed) {
      removeLive(removed.page());
    } else if (entry instanceof Sealed row) {
      sealed.accept(row.row(), row.manifest());
    }
  }

  /** Returns the pages that repairs took out of use. */
  public List<LostPage> lost() {
    return files.lost(of);
  }

  /** Returns the listed sections, the oldest first. */
  List<SectionInFile> sections() {
    return files.sections(of);
  }

  /** Reads the directory of a section. A CorruptException names the file and the place. */
  void readDirectory(SectionInFile each, Consumer<Entry> sink) {
    PageSection section = each.section();
    try {
      byte[] directory =
          files.read(
              each.file(),
              file -> {
                byte[] bytes = new byte[section.length()];
                file.read(section.at(), bytes, bytes.length);
                return bytes;
              });
      if (PageFiles.checksum(directory) != section.checksum()) {
        throw new CorruptException("does not match its checksum");
      }
      SectionDirectory.decode(directory, of.hour(), each.file(), sink);
    } catch (UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptException(
          ("%s: offset %s: directory of %s: %s; restore the file, or move it away: the next start"
                  + " then says how to serve the rest")
              .formatted(
                  files.path(each.file()),
                  section.at(),
                  of,
                  e instanceof CorruptException ? e.getMessage() : e),
          e);
    }
  }

  private void putLive(PageMeta page) {
    live.put(page.number(), page);
  }

  /** Adds an index, or moves it. Its pages must have been added before. */
  private void putLive(IndexMeta meta) {
    indexes.add(meta, live::containsKey);
  }

  /** Removes a page; the last page of an index also removes the index. */
  private void removeLive(long page) {
    if (live.remove(page) != null) {
      indexes.remove(page);
    }
  }

  /** Shows the pages of a section that is listed now. */
  void show(NewSection section) {
    changes.incrementAndGet();
    section.pages().forEach(this::putLive);
    section.indexes().forEach(this::putLive);
    section.removed().forEach(removed -> removeLive(removed.page()));
    changes.incrementAndGet();
  }

  /** Whether a page is in use at this place: no section removed it, or has a copy. */
  boolean isInUse(PageMeta page) {
    PageMeta inUse = live.get(page.number());
    return inUse != null && inUse.file() == page.file();
  }

  List<IndexMeta> indexes() {
    return indexes.metas();
  }

  /** Returns the pages in use of the indexes that also have values of pages not in use any more. */
  public List<PageMeta> indexedWithUnused() {
    return indexes.metas().stream()
        .filter(index -> !live.keySet().containsAll(index.pages()))
        .flatMap(index -> index.pages().stream())
        .map(live::get)
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Returns whether a section has anything that is not in use: pages, values in an index of such
   * pages, manifests; or says of earlier pages that they are not. Reads its directory.
   *
   * @param isCurrent whether a manifest is that of its row now
   */
  public boolean hasUnused(SectionInFile section, BiPredicate<RowKey, Manifest> isCurrent) {
    boolean[] found = new boolean[1];
    readDirectory(section, entry -> found[0] |= isUnused(entry, isCurrent));
    return found[0];
  }

  private boolean isUnused(Entry entry, BiPredicate<RowKey, Manifest> isCurrent) {
    if (entry instanceof Added added) {
      return !isInUse(added.page());
    } else if (entry instanceof Indexed indexed) {
      return !live.keySet().containsAll(indexed.index().pages());
    }
    return entry instanceof Removed
        || entry instanceof Sealed row && !isCurrent.test(row.row(), row.manifest());
  }

  /** Returns the indexes that have no pages but these. */
  List<IndexMeta> indexesOfOnly(Set<Long> pages) {
    return indexes.ofOnly(pages);
  }

  public Collection<PageMeta> pages() {
    return live.values();
  }

  /** Frees the memory of the indexes that were read. */
  public void forget() {
    indexes.forget();
  }

  /** Reads a page. A CorruptException names the file, the page and the fault. */
  public Columns read(PageMeta page, Projection projection) {
    byte[] bytes = readBytes(page);
    PageCodec codec = CODEC.get();
    return decoded(
        page,
        () -> projection == Projection.NAMES ? codec.decodeNames(bytes) : codec.decode(bytes));
  }

  /** Reads the columns of a page that may match; see {@link PageCodec#match}. */
  public Columns match(PageMeta page, FieldFilter filter) {
    if (!mayMatch(page, filter)) {
      return Columns.EMPTY;
    }
    byte[] bytes = readBytes(page);
    return decoded(page, () -> CODEC.get().match(bytes, filter));
  }

  /** Reads the values of fields in a page; see {@link PageCodec#values}. */
  public void values(PageMeta page, FieldQuery query, FieldValues into) {
    FieldFilter filter = query.filter();
    if (filter == null || mayMatch(page, filter)) {
      byte[] bytes = readBytes(page);
      decoded(
          page,
          () -> {
            CODEC.get().values(bytes, query, into);
            return null;
          });
    }
  }

  /** Whether a column of the page may match, by the page's index or its own filter. */
  public boolean mayMatch(PageMeta page, FieldFilter filter) {
    PageCodec codec = CODEC.get();
    if (!codec.requires(filter)) {
      return true;
    }
    return switch (indexes.answer(page, filter, codec)) {
      case MAY_MATCH -> true;
      case MATCHES_NOT -> false;
      case UNKNOWN ->
          read(
              page,
              bytes -> {
                refuseIfOther(page, PageHeader.storedChecksum(bytes));
                return codec.mayMatch(bytes, filter);
              });
    };
  }

  /**
   * Whether a column may match, like {@link #mayMatch}, but true if the page itself must be read.
   */
  public boolean mayMatchByIndex(PageMeta page, FieldFilter filter) {
    return indexes.answer(page, filter, CODEC.get()) != ListedIndexes.Answer.MATCHES_NOT;
  }

  /**
   * Adds the rows of all pages that may have a column which passes a filter, as far as that is
   * known without reading pages. Returns false if the pages changed meanwhile, so that rows may
   * lack.
   */
  public boolean addRowsThatMayMatch(FieldFilter filter, Set<RowKey> rows) {
    int before = changes.get();
    if (before % 2 != 0) {
      return false;
    }
    indexes.mayMatch(
        live.keySet(),
        filter,
        CODEC.get(),
        number -> {
          PageMeta page = live.get(number);
          if (page != null) {
            rows.add(page.row());
          }
        });
    return changes.get() == before;
  }

  byte[] readBytes(IndexMeta index) {
    byte[] bytes = bytes(index);
    if (ValueIndex.checksum(bytes) != index.checksum()) {
      throw new CorruptException(describe(index) + ": not the index listed; restore the file");
    }
    return bytes;
  }

  public byte[] readBytes(PageMeta page) {
    byte[] bytes = bytes(page);
    decoded(
        page,
        () -> {
          refuseIfOther(page, PageHeader.read(bytes).checksum());
          return null;
        });
    return bytes;
  }

  private static void refuseIfOther(PageMeta page, int checksum) {
    if (checksum != page.checksum()) {
      throw new CorruptException("not the page listed");
    }
  }

  /**
   * Returns the bytes of a page unchecked, to rescue events from a damaged one; null if the file
   * ends before.
   *
   * @throws CorruptException if the disk does not return them
   */
  public byte @Nullable [] rawBytes(PageMeta page) {
    try {
      return copyOf(page);
    } catch (CorruptException e) {
      if (PositionalReader.isFailureOfDisk(e)) {
        throw e;
      }
      return null;
    }
  }

  /** Returns the bytes of an entry unchecked, so that a copy is as damaged as the original. */
  byte[] copyOf(FileEntry entry) {
    return decoded(entry, () -> bytesOf(entry));
  }

  private byte[] bytes(FileEntry entry) {
    return decoded(entry, () -> bytesOf(entry));
  }

  private byte[] bytesOf(FileEntry entry) {
    return files.read(
        entry.file(),
        file -> {
          byte[] bytes = new byte[entry.storedBytes()];
          file.read(entry.position(), bytes, bytes.length);
          return bytes;
        });
  }

  /** Reads only a little of an entry. */
  private <T> T read(FileEntry entry, Function<PageBytes, T> reading) {
    return decoded(
        entry,
        () ->
            files.read(
                entry.file(),
                file -> reading.apply(file.part(entry.position(), entry.storedBytes()))));
  }

  private <T extends @Nullable Object> T decoded(FileEntry entry, Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (CorruptException e) {
      throw new CorruptException(describe(entry) + ": " + e.getMessage() + "; restore the file", e);
    }
  }

  private String describe(FileEntry entry) {
    return files.path(entry.file()) + ": " + entry.describe();
  }
}
