package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.PageHeader;
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.ValueIndex;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an hour and retention class on disk. Many threads may read, one at a time may write.
 */
public final class PageFiles implements Closeable {
  /**
   * The estimated size of a map without its entries; the next is that of an entry without its page.
   */
  private static final long MAP_BYTES = 40 << 10;

  private static final long ENTRY_BYTES = 320;

  private static final ThreadLocal<PageCodec> CODEC = ThreadLocal.withInitial(PageCodec::new);

  private final Disk disk;
  private final Path dir;
  private final Hour hour;
  private final Inventory inventory;
  private final PageMaps maps;
  private final StoreCatalogue catalogue;
  private final Set<Integer> generationsMissing;
  private final Map<Long, PageMeta> live = new ConcurrentHashMap<>();

  private final ListedIndexes indexes = new ListedIndexes(this::read);
  private final Map<Integer, Integer> entriesByGeneration = new ConcurrentHashMap<>();

  /**
   * Creates the files of an hour without pages in missing generations; {@link #load} reads them.
   * Nothing is written.
   */
  public PageFiles(
      Disk disk,
      Path dir,
      Hour hour,
      ByteBuffer staging,
      StoreCatalogue catalogue,
      Set<Integer> generationsMissing) {
    this.disk = disk;
    this.dir = dir;
    this.hour = hour;
    this.catalogue = catalogue;
    this.generationsMissing = generationsMissing;
    long groupsMin = catalogue.groups(retentionClass(), hour);
    this.inventory = new Inventory(disk, dir, hour, staging, groupsMin);
    this.maps = new PageMaps(disk, dir);
  }

  private String retentionClass() {
    return dir.toAbsolutePath().resolveSibling("").getFileName().toString();
  }

  HourFiles hourFiles() {
    return new HourFiles(
        retentionClass(),
        hour,
        inventory.groups(),
        inventory.bytes(),
        entriesByGeneration.keySet());
  }

  /** Loads the inventory, and passes on the manifests. The maps are opened on first use. */
  public void load(BiConsumer<RowKey, Manifest> sealed) throws IOException {
    inventory.load(
        page -> {
          maps.countStored(page);
          putLive(page);
        },
        page -> {
          PageMeta gone = removeLive(page);
          if (gone != null) {
            maps.countDead(gone);
          }
        },
        index -> {
          maps.countStored(index);
          putLive(index);
        },
        sealed);
    maps.forgetDeleted();
    live.values().removeIf(page -> generationsMissing.contains(page.generation()));
    indexes.retain(live.keySet(), generationsMissing);
  }

  private void putLive(PageMeta page) {
    if (live.put(page.number(), page) == null) {
      entriesByGeneration.merge(page.generation(), 1, Integer::sum);
    }
  }

  /** Adds an index. Its pages must have been added before. */
  private void putLive(IndexMeta meta) {
    indexes.add(meta, live::containsKey);
    entriesByGeneration.merge(meta.generation(), 1, Integer::sum);
  }

  /** Removes a page; the last page of an index also removes the index. */
  private @Nullable PageMeta removeLive(long page) {
    PageMeta gone = live.remove(page);
    if (gone != null) {
      forgetOne(gone.generation());
      IndexMeta ended = indexes.remove(page);
      if (ended != null) {
        forgetOne(ended.generation());
        maps.countDead(ended);
      }
    }
    return gone;
  }

  private void forgetOne(int generation) {
    entriesByGeneration.computeIfPresent(generation, (any, n) -> n == 1 ? null : n - 1);
  }

  private List<MapEntry> listed() {
    List<MapEntry> listed = new ArrayList<>(live.values());
    listed.addAll(indexes());
    return listed;
  }

  List<IndexMeta> indexes() {
    return indexes.metas();
  }

  public Path dir() {
    return dir;
  }

  public Collection<PageMeta> pages() {
    return live.values();
  }

  public long liveBytes() {
    return listed().stream().mapToLong(MapEntry::storedBytes).sum();
  }

  public long deadBytes() {
    return maps.deadBytes();
  }

  public long diskBytes() {
    long entries =
        (live.size() + indexes.size()) * ENTRY_BYTES
            + (live.isEmpty() ? 0 : maps.generations() * MAP_BYTES);
    return liveBytes() + deadBytes() + entries + inventory.bytes();
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

  byte[] readBytes(IndexMeta index) {
    byte[] bytes = bytes(index);
    if (ValueIndex.checksum(bytes) != index.checksum()) {
      throw new CorruptException(maps.describe(index) + ": not the index listed; restore the file");
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

  private byte[] bytes(MapEntry entry) {
    maps.openFor(entry, this::listed);
    return present(entry, decoded(entry, () -> maps.get(entry)));
  }

  private <T> T read(MapEntry entry, Function<PageBytes, T> reading) {
    maps.openFor(entry, this::listed);
    return present(entry, decoded(entry, () -> maps.read(entry, reading)));
  }

  private <T> T present(MapEntry entry, @Nullable T read) {
    if (read == null) {
      throw new CorruptException(
          maps.describe(entry) + ": missing, though listed; restore the file");
    }
    return read;
  }

  private <T extends @Nullable Object> T decoded(MapEntry entry, Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (CorruptException e) {
      throw new CorruptException(
          maps.describe(entry) + ": " + e.getMessage() + "; restore the file", e);
    }
  }

  /** Puts a page into a map. It becomes visible with {@link #commit}. */
  PageMeta put(RowKey row, long page, byte[] bytes, long group, @Nullable NameRanges names)
      throws IOException {
    maps.open(this::listed);
    checkRoom(bytes.length);
    PageHeader header = PageHeader.read(bytes);
    PageMaps.Place place = maps.put(row, page, bytes);
    PageMeta meta =
        new PageMeta(
            row,
            page,
            place.generation(),
            place.position(),
            bytes.length,
            header.checksum(),
            header.count(),
            header.payloadBytes(),
            header.first(),
            header.last(),
            group,
            MinuteCounts.ofAll(header.columnsByMinute()),
            names);
    maps.countStored(meta);
    return meta;
  }

  /** Puts an index of pages that were put before, like {@link #put}. */
  IndexMeta putIndex(RowKey row, long number, byte[] bytes, List<Long> pages) throws IOException {
    maps.open(this::listed);
    checkRoom(bytes.length);
    PageMaps.Place place = maps.put(row, number, bytes);
    IndexMeta index =
        new IndexMeta(
            row,
            number,
            place.generation(),
            place.position(),
            bytes.length,
            ValueIndex.checksum(bytes),
            pages);
    maps.countStored(index);
    return index;
  }

  /**
   * Throws if the disk is almost full, where a write into a hole of a mapped file would kill the
   * process.
   */
  private void checkRoom(int bytes) throws IOException {
    long usable = disk.usableBytes(dir);
    if (usable - bytes < SpaceGuard.ROOM_BYTES_MIN) {
      throw new IOException(
          "%s: %s bytes free, a page of %s must leave %s; make room on the disk"
              .formatted(dir, usable, bytes, SpaceGuard.ROOM_BYTES_MIN));
    }
  }

  public void nextGeneration() {
    maps.nextGeneration();
  }

  /** Makes pages durable and lists all of them or none. */
  public void commit(WrittenPages added, Collection<PageMeta> removed) throws IOException {
    try {
      maps.force();
    } finally {
      maps.release();
    }
    inventory.append(
        out -> {
          for (PageMeta page : added.pages()) {
            Inventory.writeAdded(out, page);
          }
          for (IndexMeta index : added.indexes()) {
            Inventory.writeIndexed(out, index);
          }
          for (PageMeta page : removed) {
            Inventory.writeRemoved(out, page);
          }
        });
    added.pages().forEach(this::putLive);
    added.indexes().forEach(this::putLive);
    for (PageMeta page : removed) {
      removeLive(page.number());
      maps.countDead(page);
    }
    catalogue.listed(hourFiles());
  }

  /** Lists all manifests or none; they are durable on return. */
  public void commitSealed(Map<RowKey, Manifest> manifests) throws IOException {
    if (manifests.isEmpty()) {
      return;
    }
    inventory.append(
        out -> {
          for (Map.Entry<RowKey, Manifest> each : manifests.entrySet()) {
            Inventory.writeSealed(out, each.getKey(), each.getValue());
          }
        });
    catalogue.listed(hourFiles());
  }

  public void deleteDeadGenerations() throws IOException {
    catalogue.force(); // otherwise the catalogue would miss the deleted maps
    maps.deleteDead(listed());
  }

  @Override
  public void close() throws IOException {
    indexes.forget();
    maps.close(listed());
  }

  /** Closes the maps for good, before their files are deleted. */
  public void retire() {
    indexes.forget();
    maps.retire();
  }
}
