package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.page.PageCodec;
import hourglass.store.embedded.page.PageHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The sealed pages of one hour and retention class: an inventory and the maps it speaks of. Any
 * number of threads may read; one at a time may write.
 */
final class PageFiles implements Closeable {
  /** What a map takes beside its entries, and a page beside its bytes, in blocks on disk. */
  private static final long MAP_BYTES = 40 << 10;

  private static final long ENTRY_BYTES = 320;

  /** Left free beside a page: for what a map writes of its own, and for others meanwhile. */
  private static final long ROOM_BYTES_MIN = 16L << 20;

  private static final ThreadLocal<PageCodec> CODEC = ThreadLocal.withInitial(PageCodec::new);

  private final Disk disk;
  private final Path dir;
  private final Hour hour;
  private final Inventory inventory;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Integer, PageMap> maps = new HashMap<>();
  private final Map<Long, PageMeta> live = new ConcurrentHashMap<>();
  private final Set<Path> unforced = new HashSet<>();
  private volatile boolean open;
  private final Map<Integer, Long> deadBytes = new ConcurrentHashMap<>();
  private boolean marked;
  private boolean retired;
  private int generation;
  private int generationPages;
  private long generationBytes;

  PageFiles(Disk disk, Path dir, Hour hour, ByteBuffer staging) {
    this.disk = disk;
    this.dir = dir;
    this.hour = hour;
    this.inventory = new Inventory(disk, dir, hour, staging);
  }

  /** Reads the inventory; the maps are opened when they are needed. */
  void load(InventoryRecord.Sink sink) throws IOException {
    inventory.load(
        new InventoryRecord.Sink() {
          @Override
          public void added(PageMeta page) {
            countStored(page);
            live.put(page.page(), page);
          }

          @Override
          public void removed(long page) {
            PageMeta gone = live.remove(page);
            if (gone != null) {
              countDead(gone);
            }
          }

          @Override
          public void sealed(RowKey row, Manifest manifest) {
            sink.sealed(row, manifest);
          }
        });
    deadBytes.keySet().removeIf(dead -> !Files.exists(StoreFiles.pages(dir, dead)));
    live.values().forEach(sink::added);
  }

  private void countDead(PageMeta page) {
    deadBytes.merge(page.generation(), (long) page.storedBytes(), Long::sum);
  }

  private void countStored(PageMeta page) {
    if (page.generation() > generation) {
      generation = page.generation();
      generationPages = 0;
      generationBytes = 0;
    }
    generationPages++;
    generationBytes += page.storedBytes();
  }

  Hour hour() {
    return hour;
  }

  Path dir() {
    return dir;
  }

  int pageCount() {
    return live.size();
  }

  Collection<PageMeta> pages() {
    return live.values();
  }

  long liveBytes() {
    return live.values().stream().mapToLong(PageMeta::storedBytes).sum();
  }

  /** Bytes of pages that others have replaced, in maps that are still there. */
  long deadBytes() {
    return deadBytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** About how many bytes of disk these files take. */
  long diskBytes() {
    long entries = live.size() * ENTRY_BYTES + (live.isEmpty() ? 0 : (generation + 1) * MAP_BYTES);
    return liveBytes() + deadBytes() + entries + inventory.bytes();
  }

  /**
   * Reads and checks a page.
   *
   * @throws CorruptException naming the file, the page, and what is wrong
   */
  Columns read(PageMeta page, Projection projection) {
    byte[] bytes = readBytes(page);
    try {
      return projection == Projection.NAMES
          ? CODEC.get().decodeNames(bytes)
          : CODEC.get().decode(bytes);
    } catch (CorruptException e) {
      throw new CorruptException(describe(page) + ": " + e.getMessage() + "; restore the file", e);
    }
  }

  byte[] readBytes(PageMeta page) {
    byte[] bytes = get(page);
    if (bytes == null) {
      throw new CorruptException(describe(page) + ": missing, though listed; restore the file");
    }
    if (bytes.length != page.storedBytes() || checksum(page, bytes) != page.checksum()) {
      throw new CorruptException(describe(page) + ": not the page listed; restore the file");
    }
    return bytes;
  }

  private int checksum(PageMeta page, byte[] bytes) {
    try {
      return PageHeader.read(bytes).checksum();
    } catch (CorruptException e) {
      throw new CorruptException(describe(page) + ": " + e.getMessage() + "; restore the file", e);
    }
  }

  private byte @Nullable [] get(PageMeta page) {
    openMaps();
    lock.readLock().lock();
    try {
      PageMap map = maps.get(page.generation());
      return map == null ? null : map.get(page.row(), page.page());
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(describe(page) + ": " + e + "; restore the file", e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private String describe(PageMeta page) {
    return StoreFiles.pages(dir, page.generation()) + ": page " + page.page() + " of " + page.row();
  }

  /** Opens the maps, recovering them where a process did not close them. */
  void openMaps() {
    if (open) {
      return;
    }
    lock.writeLock().lock();
    try {
      if (retired) {
        throw new UnavailableException(dir + ": deleted");
      }
      if (!open) {
        boolean recover = Files.exists(StoreFiles.openMarker(dir));
        mark();
        for (PageMeta page : live.values()) {
          if (!maps.containsKey(page.generation())) {
            maps.put(page.generation(), openMap(page, recover));
          }
        }
        checkListed();
        open = true;
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": its maps cannot be opened: " + e, e);
    } finally {
      if (!open) {
        closeMaps(); // to be recovered by the next attempt
      }
      lock.writeLock().unlock();
    }
  }

  private void closeMaps() {
    maps.values().forEach(PageMap::close);
    maps.clear();
  }

  private PageMap openMap(PageMeta page, boolean recover) throws IOException {
    Path file = StoreFiles.pages(dir, page.generation());
    if (!Files.exists(file)) {
      throw new CorruptException(describe(page) + ": the file is missing; restore it");
    }
    return PageMap.open(file, recover);
  }

  private void checkListed() {
    for (PageMeta page : live.values()) {
      PageMap map = maps.get(page.generation());
      if (map == null || !map.contains(page.row(), page.page())) {
        throw new CorruptException(describe(page) + ": missing, though listed; restore the file");
      }
    }
  }

  private void mark() throws IOException {
    if (!marked) {
      if (!Files.exists(StoreFiles.openMarker(dir))) {
        disk.create(StoreFiles.openMarker(dir)).close();
      }
      disk.forceDirectory(dir);
      marked = true;
    }
  }

  /** Puts a page into a map; it counts after {@link #commit}. */
  PageMeta put(RowKey row, long page, byte[] bytes, long group) throws IOException {
    openMaps();
    checkRoom(bytes.length);
    PageHeader header = PageHeader.read(bytes);
    if (generationPages >= PageMap.PAGES_MAX
        || generationPages > 0 && generationBytes + bytes.length > PageMap.BYTES_MAX) {
      nextGeneration();
    }
    putInto(row, page, bytes);
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
            MinuteCounts.ofAll(header.columnsByMinute()));
    countStored(meta);
    return meta;
  }

  /** A store into a hole of a mapped file on a full disk would kill the process. */
  private void checkRoom(int bytes) throws IOException {
    long usable = disk.usableBytes(dir);
    if (usable - bytes < ROOM_BYTES_MIN) {
      throw new IOException(
          dir + ": " + usable + " bytes free, too few to put a page of " + bytes + " into a map");
    }
  }

  private void putInto(RowKey row, long page, byte[] bytes) throws IOException {
    try {
      current().put(row, page, bytes);
    } catch (IllegalStateException e) {
      // Full before its count says so: an uneven spread over the map's tiers.
      nextGeneration();
      current().put(row, page, bytes);
    }
    unforced.add(StoreFiles.pages(dir, generation));
  }

  void nextGeneration() {
    generation++;
    generationPages = 0;
    generationBytes = 0;
  }

  private PageMap current() throws IOException {
    PageMap map = maps.get(generation);
    if (map != null) {
      return map;
    }
    lock.writeLock().lock();
    try {
      Path file = StoreFiles.pages(dir, generation);
      // A file of that name was left by a crash before any page of it was listed, and may be torn
      // in its very header; or all its pages were replaced.
      disk.delete(file);
      deadBytes.remove(generation);
      generationPages = 0;
      generationBytes = 0;
      PageMap made = PageMap.create(file);
      try {
        disk.forceMapped(file);
        disk.forceDirectory(dir);
      } catch (IOException e) {
        // Left open, it would share its descriptor, of a deleted file, with the next of that name.
        made.close();
        throw e;
      }
      maps.put(generation, made);
      return made;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Makes pages durable and lists them, all or none.
   *
   * @param added put since the last commit
   * @param removed what they stand in for
   */
  void commit(Collection<PageMeta> added, Collection<PageMeta> removed) throws IOException {
    forcePages();
    inventory.append(
        out -> {
          for (PageMeta page : added) {
            InventoryRecord.writeAdded(out, page);
          }
          for (PageMeta page : removed) {
            InventoryRecord.writeRemoved(out, page);
          }
        });
    inventory.noteEnd();
    added.forEach(page -> live.put(page.page(), page));
    for (PageMeta page : removed) {
      live.remove(page.page());
      countDead(page);
    }
  }

  private void forcePages() throws IOException {
    try {
      for (Path file : unforced) {
        disk.forceMapped(file);
      }
    } catch (IOException e) {
      // What a failed force has left on disk is unknown, and a second one would not tell: pages
      // that were put before it are put again, elsewhere.
      nextGeneration();
      throw e;
    } finally {
      unforced.clear();
    }
  }

  void commitSealed(RowKey row, Manifest manifest) throws IOException {
    inventory.append(out -> InventoryRecord.writeSealed(out, row, manifest));
  }

  /** Deletes the maps that no listed page is in. */
  void deleteDeadGenerations() throws IOException {
    Set<Integer> inUse = new HashSet<>(List.of(generation));
    live.values().forEach(page -> inUse.add(page.generation()));
    lock.writeLock().lock();
    try {
      for (int dead = 0; dead < generation; dead++) {
        if (!inUse.contains(dead)) {
          PageMap map = maps.remove(dead);
          if (map != null) {
            map.close();
          }
          disk.delete(StoreFiles.pages(dir, dead));
          deadBytes.remove(dead);
        }
      }
      disk.forceDirectory(dir);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Closes the maps; reading opens them again. */
  @Override
  public void close() throws IOException {
    lock.writeLock().lock();
    try {
      if (!open) {
        return;
      }
      open = false;
      List<Path> files = maps.values().stream().map(PageMap::file).toList();
      closeMaps();
      for (Path file : files) {
        disk.forceMapped(file);
      }
      marked = false;
      disk.delete(StoreFiles.openMarker(dir));
      disk.forceDirectory(dir);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Closes the maps for good: their files are about to be deleted. */
  void retire() {
    lock.writeLock().lock();
    try {
      retired = true;
      open = false;
      closeMaps();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
