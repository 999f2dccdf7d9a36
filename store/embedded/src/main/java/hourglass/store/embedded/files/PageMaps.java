package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.QuietClose;
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
 * The maps of an hour and retention class. Pages are put into the newest map until it is full. A
 * map that was not closed is only read: an incomplete put does not affect listed pages, but could
 * make the next put damage some. Many threads may read, one at a time may write.
 */
final class PageMaps {
  private static final Logger logger = LoggerFactory.getLogger(PageMaps.class);

  private final Disk disk;
  private final Path dir;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** The open maps: those into which pages were put, or whose entries are found by their keys. */
  private final Map<Integer, PageMap> maps = new HashMap<>();

  /** The readers of maps by generation, for entries whose positions are known. */
  private final Map<Integer, PositionalReader> readers = new ConcurrentHashMap<>();

  private final Map<Integer, Long> deadBytes = new ConcurrentHashMap<>();
  private final Set<Integer> unforced = new HashSet<>();
  private volatile boolean open;

  private boolean marked;
  private boolean retired;
  private int generation;
  private int generationPages;
  private long generationBytes;

  /** The newest map that is only read; -1 if there is none. */
  private int readOnly = -1;

  PageMaps(Disk disk, Path dir) {
    this.disk = disk;
    this.dir = dir;
  }

  /** The number of maps, including deleted ones. */
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
   * Opens the newest map for puts, and the maps whose entries are found by their keys.
   *
   * @throws CorruptException if such an entry is missing, or its map is damaged
   * @throws UnavailableException if a file cannot be opened, or the maps were retired
   */
  void open(Supplier<List<MapEntry>> entries) {
    if (open) {
      return;
    }
    lock.writeLock().lock();
    try {
      refuseIfRetired();
      if (!open) {
        List<MapEntry> listed = entries.get();
        boolean takesPages = !FileKind.FILE.isAt(StoreFiles.openMarker(dir));
        mark();
        for (MapEntry entry : listed) {
          if (!entry.isPlaced()) {
            takesPages &= openMap(entry);
          }
        }
        listed.forEach(this::refuseIfAbsent);
        takesPages = takesPages && openNewest(listed);
        if (!takesPages) {
          logger.info("{}: its maps are read only, and the next page begins another", dir);
          readOnly = generation;
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

  /** Opens the maps like {@link #open}, if the entry is found by its key. */
  void openFor(MapEntry entry, Supplier<List<MapEntry>> entries) {
    if (!entry.isPlaced()) {
      open(entries);
    }
  }

  private void refuseIfRetired() {
    if (retired) {
      throw new UnavailableException(dir + ": deleted");
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

  /**
   * Opens the newest map; false if no more pages may be put into it: it is damaged, or was not
   * closed.
   */
  private boolean openNewest(List<MapEntry> listed) throws IOException {
    List<MapEntry> newest =
        listed.stream().filter(entry -> entry.generation() == generation).toList();
    try {
      boolean closed = newest.isEmpty() || openMap(newest.get(0));
      newest.forEach(this::refuseIfAbsent);
      return closed;
    } catch (CorruptException e) {
      // Pages have checksums of their own, so reads notice damage.
      logger.warn("no more pages are put into a damaged map: {}", e.getMessage());
      PageMap damaged = maps.remove(generation);
      if (damaged != null) {
        QuietClose.quietly(damaged);
      }
      return false;
    }
  }

  /** Opens the map of an entry; false if it was not closed. */
  private boolean openMap(MapEntry entry) throws IOException {
    Path file = file(entry.generation());
    if (maps.containsKey(entry.generation())) {
      return true;
    }
    if (!FileKind.FILE.isAt(file)) {
      throw new CorruptException(describe(entry) + ": the file is missing; restore it");
    }
    boolean closed = !PageMap.completeHeader(file);
    maps.put(entry.generation(), PageMap.open(file));
    return closed;
  }

  /**
   * Throws if an open map lacks the entry. A put into a map that has lost an entry might do more
   * damage.
   */
  private void refuseIfAbsent(MapEntry entry) {
    PageMap map = maps.get(entry.generation());
    boolean isPresent;
    try {
      isPresent = map == null || map.has(entry.row(), entry.number());
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(describe(entry) + ": " + e + "; restore the file", e);
    }
    if (!isPresent) {
      throw new CorruptException(describe(entry) + ": missing, though listed; restore the file");
    }
  }

  /** Removes the maps from memory, where only puts need them. */
  void release() {
    lock.readLock().lock(); // the address of a closed map may be used for something else
    try {
      maps.values().forEach(PageMap::release);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void closeReaders() {
    readers.values().forEach(PositionalReader::close);
    readers.clear();
  }

  private void closeMaps() {
    maps.values().forEach(PageMap::close);
    maps.clear();
  }

  /**
   * Returns the bytes of an entry, for which the map was opened; null if the map lacks it.
   *
   * @throws CorruptException if it has another length or cannot be read; the message contains no
   *     names
   */
  byte @Nullable [] get(MapEntry entry) {
    if (!entry.isPlaced()) {
      return getByKey(entry);
    }
    return inFile(
        entry,
        file -> {
          byte[] bytes = new byte[entry.storedBytes()];
          file.read(entry.position(), bytes, bytes.length);
          return bytes;
        });
  }

  /** Reads only a little of an entry; otherwise like {@link #get}. */
  <T> @Nullable T read(MapEntry entry, Function<PageBytes, T> reading) {
    if (!entry.isPlaced()) {
      byte[] bytes = getByKey(entry);
      return bytes == null ? null : reading.apply(PageBytes.of(bytes));
    }
    return inFile(entry, file -> reading.apply(file.part(entry.position(), entry.storedBytes())));
  }

  private byte @Nullable [] getByKey(MapEntry entry) {
    return guarded(
        () -> {
          if (!open) {
            throw new UnavailableException(dir + ": closed");
          }
          PageMap map = maps.get(entry.generation());
          return map == null ? null : map.get(entry.row(), entry.number(), entry.storedBytes());
        });
  }

  private <T> T inFile(MapEntry entry, Function<PositionalReader, T> reading) {
    return guarded(() -> reading.apply(reader(entry)));
  }

  private PositionalReader reader(MapEntry entry) {
    PositionalReader known = readers.get(entry.generation());
    return known != null
        ? known
        : readers.computeIfAbsent(entry.generation(), any -> newReader(entry));
  }

  private PositionalReader newReader(MapEntry entry) {
    Path file = file(entry.generation());
    if (!FileKind.FILE.isAt(file)) {
      throw new CorruptException("the file is missing");
    }
    try {
      return new PositionalReader(file);
    } catch (IOException e) {
      throw new UnavailableException(file + ": cannot be opened: " + FileProblem.of(e), e);
    }
  }

  private <T extends @Nullable Object> T guarded(Supplier<T> reading) {
    lock.readLock().lock();
    try {
      refuseIfRetired();
      return reading.get();
    } catch (CorruptException | UnavailableException e) {
      throw e;
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(e.toString(), e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The place of an entry that was put; see {@link MapEntry}. */
  record Place(int generation, long position) {}

  /** Puts an entry, which is durable after {@link #force}. */
  Place put(RowKey row, long number, byte[] bytes) throws IOException {
    if (generationPages >= PageMap.PAGES_MAX
        || generationPages > 0 && generationBytes + bytes.length > PageMap.BYTES_MAX) {
      nextGeneration();
    }
    long position;
    try {
      position = newest().put(row, number, bytes);
    } catch (IllegalStateException e) {
      // A map can be full before its count is, if its tiers filled unevenly.
      nextGeneration();
      position = newest().put(row, number, bytes);
    }
    unforced.add(generation);
    return new Place(generation, position);
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
      // Such a file contains no listed page: a crash left it, or all its pages were replaced.
      forget(generation);
      disk.delete(file);
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

  /** Deletes maps without listed pages, but keeps the newest map in any case. */
  void deleteDead(Collection<? extends MapEntry> listed) throws IOException {
    Set<Integer> inUse = new HashSet<>();
    listed.forEach(entry -> inUse.add(entry.generation()));
    lock.writeLock().lock();
    try {
      for (int dead = 0; dead < generation; dead++) {
        if (!inUse.contains(dead)) {
          forget(dead);
          disk.delete(file(dead));
        }
      }
      disk.forceDirectory(dir);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void forget(int number) {
    PageMap map = maps.remove(number);
    if (map != null) {
      map.close();
    }
    PositionalReader reader = readers.remove(number);
    if (reader != null) {
      reader.close();
    }
    deadBytes.remove(number);
  }

  void close(Collection<? extends MapEntry> listed) throws IOException {
    lock.writeLock().lock();
    try {
      closeReaders();
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
      // The marker stays as long as the newest listed page is in a map that must only be read.
      if (readOnly < 0 || listed.stream().anyMatch(entry -> entry.generation() > readOnly)) {
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
      closeReaders();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
