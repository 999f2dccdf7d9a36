package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.pages.PageCodec.PageBytes;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The maps of an hour and retention class. Pages are put into the newest until it is full. A map
 * that was not closed is only read: an incomplete put does not affect listed pages, but could
 * damage the next put. Many threads may read, one at a time may write.
 */
final class PageMaps {
  private static final Logger logger = LoggerFactory.getLogger(PageMaps.class);

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

  /** The newest map that is only read; -1 if none. */
  private int notClosed = -1;

  PageMaps(Disk disk, Path dir) {
    this.disk = disk;
    this.dir = dir;
  }

  /** Includes deleted maps. */
  int generations() {
    return generation + 1;
  }

  void countStored(MapEntry entry) {
    if (entry.generation() > generation) {
      generation = entry.generation();
      generationPages = 0;
      generationBytes = 0;
    }
    generationPages++;
    generationBytes += entry.storedBytes();
  }

  void countDead(MapEntry entry) {
    deadBytes.merge(entry.generation(), (long) entry.storedBytes(), Long::sum);
  }

  void forgetDeleted() {
    deadBytes.keySet().removeIf(dead -> !Files.exists(file(dead)));
  }

  long deadBytes() {
    return deadBytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private Path file(int number) {
    return StoreFiles.pages(dir, number);
  }

  String describe(MapEntry entry) {
    return file(entry.generation()) + ": " + entry.describe();
  }

  /**
   * Throws CorruptException if a listed entry is missing, and UnavailableException if a file cannot
   * be opened or the maps were retired.
   */
  void open(Supplier<List<MapEntry>> entries) {
    if (open) {
      return;
    }
    lock.writeLock().lock();
    try {
      if (retired) {
        throw new UnavailableException(dir + ": deleted");
      }
      if (!open) {
        List<MapEntry> listed = entries.get();
        boolean closed = !FileKind.FILE.isAt(StoreFiles.openMarker(dir));
        mark();
        for (MapEntry entry : listed) {
          if (!maps.containsKey(entry.generation())) {
            closed &= completeHeader(entry);
            maps.put(entry.generation(), PageMap.open(file(entry.generation())));
          }
        }
        find(listed);
        if (!closed) {
          logger.info("{}: was not closed; its maps are read only from now on", dir);
          notClosed = generation;
          nextGeneration();
        }
        maps.values().forEach(PageMap::release);
        open = true;
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": its maps cannot be opened: " + FileProblem.of(e), e);
    } finally {
      if (!open) {
        closeMaps(); // the next attempt opens them again
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

  private boolean completeHeader(MapEntry entry) throws IOException {
    Path file = file(entry.generation());
    if (!FileKind.FILE.isAt(file)) {
      throw new CorruptException(describe(entry) + ": the file is missing; restore it");
    }
    return !PageMap.completeHeader(file);
  }

  private void find(Collection<? extends MapEntry> listed) {
    for (MapEntry entry : listed) {
      PageMap map = maps.get(entry.generation());
      if (map == null || !find(map, entry)) {
        throw new CorruptException(describe(entry) + ": missing, though listed; restore the file");
      }
    }
  }

  private boolean find(PageMap map, MapEntry entry) {
    try {
      return map.find(entry.row(), entry.number(), entry.storedBytes());
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(describe(entry) + ": " + e + "; restore the file", e);
    }
  }

  /** Takes the maps out of memory. What is mapped serves puts, and the search at opening. */
  void release() {
    lock.readLock().lock(); // the address of a closed map may be that of something else
    try {
      maps.values().forEach(PageMap::release);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void closeMaps() {
    maps.values().forEach(PageMap::close);
    maps.clear();
  }

  /**
   * Null if the map lacks the entry. The maps must be open.
   *
   * @throws CorruptException without names, if it has another length or cannot be read
   */
  byte @Nullable [] get(MapEntry entry) {
    return inMap(entry, map -> map.get(entry.row(), entry.number(), entry.storedBytes()));
  }

  /** As {@link #get}, for a little of it. */
  <T> @Nullable T read(MapEntry entry, Function<PageBytes, T> reader) {
    return inMap(
        entry,
        map -> {
          PageBytes bytes = map.bytes(entry.row(), entry.number(), entry.storedBytes());
          return bytes == null ? null : reader.apply(bytes);
        });
  }

  private <T> @Nullable T inMap(MapEntry entry, Function<PageMap, @Nullable T> reader) {
    lock.readLock().lock();
    try {
      if (!open) {
        throw new UnavailableException(dir + (retired ? ": deleted" : ": closed"));
      }
      PageMap map = maps.get(entry.generation());
      return map == null ? null : reader.apply(map);
    } catch (CorruptException | UnavailableException e) {
      throw e;
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(e.toString(), e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Returns the generation; the entry is durable after {@link #force}. */
  int put(RowKey row, long number, byte[] bytes) throws IOException {
    if (generationPages >= PageMap.PAGES_MAX
        || generationPages > 0 && generationBytes + bytes.length > PageMap.BYTES_MAX) {
      nextGeneration();
    }
    try {
      newest().put(row, number, bytes);
    } catch (IllegalStateException e) {
      // A map can be full before its count is, if its tiers filled unevenly.
      nextGeneration();
      newest().put(row, number, bytes);
    }
    unforced.add(generation);
    return generation;
  }

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
      // Such a file holds no listed page: a crash left it, or all its pages were replaced.
      disk.delete(file);
      deadBytes.remove(generation);
      generationPages = 0;
      generationBytes = 0;
      PageMap made = PageMap.create(file);
      try {
        disk.forceMapped(file);
        disk.forceDirectory(dir);
      } catch (IOException e) {
        // An open map of a deleted file would share its descriptor with the next file of that name.
        made.close();
        throw e;
      }
      maps.put(generation, made);
      return made;
    } finally {
      lock.writeLock().unlock();
    }
  }

  void force() throws IOException {
    try {
      for (int number : unforced) {
        disk.forceMapped(file(number));
      }
    } catch (IOException e) {
      // A failed force leaves unknown content, and a second force would not report it. The caller
      // puts these pages into another map.
      nextGeneration();
      throw e;
    } finally {
      unforced.clear();
    }
  }

  /** Keeps the newest map, even without listed pages. */
  void deleteDead(Collection<? extends MapEntry> listed) throws IOException {
    Set<Integer> inUse = new HashSet<>();
    listed.forEach(entry -> inUse.add(entry.generation()));
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

  void close(Collection<? extends MapEntry> listed) throws IOException {
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
      // The marker stays while the newest listed page is in a map that must only be read.
      if (notClosed < 0 || listed.stream().anyMatch(entry -> entry.generation() > notClosed)) {
        disk.delete(StoreFiles.openMarker(dir));
      }
      disk.forceDirectory(dir);
    } finally {
      lock.writeLock().unlock();
    }
  }

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
