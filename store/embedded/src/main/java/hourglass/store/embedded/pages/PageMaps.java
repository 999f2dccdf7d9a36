package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The maps that hold the pages of an hour and retention class, one a generation: pages go into the
 * newest, and when that is full into the next. A map that a process did not close is read only:
 * what a put left half done does not show in what is listed, but may harm the next put. Any number
 * of threads may read; one at a time may write.
 */
final class PageMaps {
  private static final Logger log = LoggerFactory.getLogger(PageMaps.class);

  private final Disk disk;
  private final Path dir;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Integer, PageMap> maps = new HashMap<>();
  private final Map<Integer, Long> deadBytes = new ConcurrentHashMap<>();
  private final Set<Integer> unforced = new HashSet<>();
  private volatile boolean open;
  private boolean marked;
  private boolean retired;
  private int generation;
  private int generationPages;
  private long generationBytes;

  /** The newest that is read only; -1 if none is. */
  private int notClosed = -1;

  PageMaps(Disk disk, Path dir) {
    this.disk = disk;
    this.dir = dir;
  }

  /** How many maps there are, or were. */
  int generations() {
    return generation + 1;
  }

  /** Notes a page that is in one of the maps. */
  void countStored(PageMeta page) {
    if (page.generation() > generation) {
      generation = page.generation();
      generationPages = 0;
      generationBytes = 0;
    }
    generationPages++;
    generationBytes += page.storedBytes();
  }

  /** Notes a page that others have replaced, but that is still in its map. */
  void countDead(PageMeta page) {
    deadBytes.merge(page.generation(), (long) page.storedBytes(), Long::sum);
  }

  /** Forgets the dead pages of maps whose files are gone. */
  void forgetDeleted() {
    deadBytes.keySet().removeIf(dead -> !Files.exists(file(dead)));
  }

  /** Bytes of pages that others have replaced, in maps that are still there. */
  long deadBytes() {
    return deadBytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private Path file(int number) {
    return StoreFiles.pages(dir, number);
  }

  /** Where a page is, for messages. */
  String describe(PageMeta page) {
    return file(page.generation()) + ": page " + page.page() + " of " + page.row();
  }

  /**
   * Opens the maps.
   *
   * @param listed the pages that must be there
   * @throws CorruptException naming the file, and the page if one is missing
   * @throws UnavailableException if a file cannot be opened, or all were deleted
   */
  void open(Collection<PageMeta> listed) {
    if (open) {
      return;
    }
    lock.writeLock().lock();
    try {
      if (retired) {
        throw new UnavailableException(dir + ": deleted");
      }
      if (!open) {
        boolean closed = !FileKind.FILE.isAt(StoreFiles.openMarker(dir));
        mark();
        for (PageMeta page : listed) {
          if (!maps.containsKey(page.generation())) {
            closed &= completeHeader(page);
            maps.put(page.generation(), PageMap.open(file(page.generation())));
          }
        }
        checkListed(listed);
        if (!closed) {
          log.info("{}: was not closed; its maps are read only from now on", dir);
          notClosed = generation;
          nextGeneration();
        }
        open = true;
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": its maps cannot be opened: " + e, e);
    } finally {
      if (!open) {
        closeMaps(); // to be opened by the next attempt
      }
      lock.writeLock().unlock();
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

  private boolean completeHeader(PageMeta page) throws IOException {
    Path file = file(page.generation());
    if (!FileKind.FILE.isAt(file)) {
      throw new CorruptException(describe(page) + ": the file is missing; restore it");
    }
    return !MapHeader.complete(file);
  }

  private void checkListed(Collection<PageMeta> listed) {
    for (PageMeta page : listed) {
      PageMap map = maps.get(page.generation());
      if (map == null || !map.contains(page.row(), page.page())) {
        throw new CorruptException(describe(page) + ": missing, though listed; restore the file");
      }
    }
  }

  private void closeMaps() {
    maps.values().forEach(PageMap::close);
    maps.clear();
  }

  /**
   * The bytes of a page, unchecked; null if it is not there. The maps must be open.
   *
   * @throws CorruptException if the map is damaged
   */
  byte @Nullable [] get(PageMeta page) {
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

  /**
   * Puts a page into the newest map, which must be open; it is durable after {@link #force}.
   *
   * @return the generation that it went into
   */
  int put(RowKey row, long page, byte[] bytes) throws IOException {
    if (generationPages >= PageMap.PAGES_MAX
        || generationPages > 0 && generationBytes + bytes.length > PageMap.BYTES_MAX) {
      nextGeneration();
    }
    try {
      newest().put(row, page, bytes);
    } catch (IllegalStateException e) {
      // Full before its count says so: an uneven spread over the map's tiers.
      nextGeneration();
      newest().put(row, page, bytes);
    }
    unforced.add(generation);
    return generation;
  }

  /** Leaves the newest map as it is: further pages go into a fresh one. */
  void nextGeneration() {
    generation++;
    generationPages = 0;
    generationBytes = 0;
  }

  private PageMap newest() throws IOException {
    PageMap map = maps.get(generation);
    return map != null ? map : make();
  }

  private PageMap make() throws IOException {
    lock.writeLock().lock();
    try {
      Path file = file(generation);
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

  /** Makes every page durable that was put. */
  void force() throws IOException {
    try {
      for (int number : unforced) {
        disk.forceMapped(file(number));
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

  /** Deletes the maps that no listed page is in, but for the newest. */
  void deleteDead(Collection<PageMeta> listed) throws IOException {
    Set<Integer> inUse = new HashSet<>();
    listed.forEach(page -> inUse.add(page.generation()));
    lock.writeLock().lock();
    try {
      for (int dead = 0; dead < generation; dead++) {
        if (!inUse.contains(dead)) {
          PageMap map = maps.remove(dead);
          if (map != null) {
            map.close();
          }
          disk.delete(file(dead));
          deadBytes.remove(dead);
        }
      }
      disk.forceDirectory(dir);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Closes the maps; {@link #open} opens them again.
   *
   * @param listed the pages that must be there then
   */
  void close(Collection<PageMeta> listed) throws IOException {
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
      // While the newest that is listed was not closed, the next to open must not put into it.
      if (notClosed < 0 || listed.stream().anyMatch(page -> page.generation() > notClosed)) {
        disk.delete(StoreFiles.openMarker(dir));
      }
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
