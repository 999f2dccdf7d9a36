package hourglass.store.embedded.pages;

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
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageHeader;
import hourglass.store.parts.MinuteCounts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sealed pages of an hour and retention class. Many threads may read, one at a time may write.
 */
public final class PageFiles implements Closeable {
  /** Estimated, of a map without its entries, and of an entry without its page. */
  private static final long MAP_BYTES = 40 << 10;

  private static final long ENTRY_BYTES = 320;

  /** Kept free beside a page, for the map's own data and for other writers. */
  private static final long ROOM_BYTES_MIN = 16L << 20;

  private static final ThreadLocal<PageCodec> CODEC = ThreadLocal.withInitial(PageCodec::new);

  private final Disk disk;
  private final Path dir;
  private final Hour hour;
  private final Inventory inventory;
  private final PageMaps maps;
  private final StoreCatalogue catalogue;
  private final Set<Integer> generationsMissing;
  private final Map<Long, PageMeta> live = new ConcurrentHashMap<>();

  private final Map<Integer, Integer> pagesByGeneration = new ConcurrentHashMap<>();

  /**
   * Without pages in missing generations; {@link #load} reads the files. Nothing is written. Calls
   * {@code used} at the first read or put after each {@link #releaseUnused}.
   */
  public PageFiles(
      Disk disk,
      Path dir,
      Hour hour,
      ByteBuffer staging,
      StoreCatalogue catalogue,
      Set<Integer> generationsMissing,
      Runnable used) {
    this.disk = disk;
    this.dir = dir;
    this.hour = hour;
    this.catalogue = catalogue;
    this.generationsMissing = generationsMissing;
    long groupsMin = catalogue.groups(retentionClass(), hour);
    this.inventory = new Inventory(disk, dir, hour, staging, groupsMin);
    this.maps = new PageMaps(disk, dir, used);
  }

  private String retentionClass() {
    return dir.toAbsolutePath().resolveSibling("").getFileName().toString();
  }

  HourFiles hourFiles() {
    return new HourFiles(
        retentionClass(), hour, inventory.groups(), inventory.bytes(), pagesByGeneration.keySet());
  }

  /** Passes the manifests on. The maps are opened on first use. */
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
        sealed);
    maps.forgetDeleted();
    live.values().removeIf(page -> generationsMissing.contains(page.generation()));
  }

  private void putLive(PageMeta page) {
    if (live.put(page.page(), page) == null) {
      pagesByGeneration.merge(page.generation(), 1, Integer::sum);
    }
  }

  private @Nullable PageMeta removeLive(long page) {
    PageMeta gone = live.remove(page);
    if (gone != null) {
      pagesByGeneration.computeIfPresent(gone.generation(), (any, n) -> n == 1 ? null : n - 1);
    }
    return gone;
  }

  Hour hour() {
    return hour;
  }

  public Path dir() {
    return dir;
  }

  public Collection<PageMeta> pages() {
    return live.values();
  }

  public long liveBytes() {
    return live.values().stream().mapToLong(PageMeta::storedBytes).sum();
  }

  public long deadBytes() {
    return maps.deadBytes();
  }

  public long diskBytes() {
    long entries =
        live.size() * ENTRY_BYTES + (live.isEmpty() ? 0 : maps.generations() * MAP_BYTES);
    return liveBytes() + deadBytes() + entries + inventory.bytes();
  }

  /** The CorruptException names the file, the page and the fault. */
  public Columns read(PageMeta page, Projection projection) {
    byte[] bytes = readBytes(page);
    PageCodec codec = CODEC.get();
    return decoded(
        page,
        () -> projection == Projection.NAMES ? codec.decodeNames(bytes) : codec.decode(bytes));
  }

  /** See {@link PageCodec#match}. */
  public Columns match(PageMeta page, FieldFilter filter) {
    if (!mayMatch(page, filter)) {
      return Columns.EMPTY;
    }
    byte[] bytes = readBytes(page);
    return decoded(page, () -> CODEC.get().match(bytes, filter));
  }

  /** See {@link PageCodec#values}. */
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

  /** See {@link PageCodec#mayMatch}. */
  public boolean mayMatch(PageMeta page, FieldFilter filter) {
    PageCodec codec = CODEC.get();
    if (!codec.requires(filter)) {
      return true;
    }
    maps.open(live.values());
    Boolean mayMatch =
        decoded(
            page,
            () ->
                maps.read(
                    page,
                    bytes ->
                        bytes.length() != page.storedBytes() || codec.mayMatch(bytes, filter)));
    return !Boolean.FALSE.equals(mayMatch);
  }

  public byte[] readBytes(PageMeta page) {
    maps.open(live.values());
    byte[] bytes = maps.get(page);
    if (bytes == null) {
      throw new CorruptException(
          maps.describe(page) + ": missing, though listed; restore the file");
    }
    if (bytes.length != page.storedBytes()
        || decoded(page, () -> PageHeader.read(bytes)).checksum() != page.checksum()) {
      throw new CorruptException(maps.describe(page) + ": not the page listed; restore the file");
    }
    return bytes;
  }

  private <T extends @Nullable Object> T decoded(PageMeta page, Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (CorruptException e) {
      throw new CorruptException(
          maps.describe(page) + ": " + e.getMessage() + "; restore the file", e);
    }
  }

  /** The page counts after {@link #commit}. */
  PageMeta put(RowKey row, long page, byte[] bytes, long group, @Nullable NameRanges names)
      throws IOException {
    maps.open(live.values());
    checkRoom(bytes.length);
    PageHeader header = PageHeader.read(bytes);
    int generation = maps.put(row, page, bytes);
    PageMeta meta =
        new PageMeta(
            row,
            page,
            generation,
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

  /** On a full disk, a write into a hole of a mapped file kills the process. */
  private void checkRoom(int bytes) throws IOException {
    long usable = disk.usableBytes(dir);
    if (usable - bytes < ROOM_BYTES_MIN) {
      throw new IOException(
          dir + ": " + usable + " bytes free, too few to put a page of " + bytes + " into a map");
    }
  }

  public void nextGeneration() {
    maps.nextGeneration();
  }

  /** Makes pages durable and lists them, all or none. */
  public void commit(Collection<PageMeta> added, Collection<PageMeta> removed) throws IOException {
    maps.force();
    inventory.append(
        out -> {
          for (PageMeta page : added) {
            Inventory.writeAdded(out, page);
          }
          for (PageMeta page : removed) {
            Inventory.writeRemoved(out, page);
          }
        });
    added.forEach(this::putLive);
    for (PageMeta page : removed) {
      removeLive(page.page());
      maps.countDead(page);
    }
    catalogue.listed(hourFiles());
  }

  /** All or none. */
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

  /** Takes the pages out of memory, unless they were used since the call before. */
  public void releaseUnused() {
    maps.releaseUnused();
  }

  public void release() {
    maps.release();
  }

  public void deleteDeadGenerations() throws IOException {
    catalogue.force(); // otherwise the catalogue would miss the deleted maps
    maps.deleteDead(live.values());
  }

  @Override
  public void close() throws IOException {
    maps.close(live.values());
  }

  /** Closes the maps for good, before their files are deleted. */
  public void retire() {
    maps.retire();
  }
}
