package hourglass.store.embedded.memory;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.files.HourFolders;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.StoreCatalogue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hours of the store, which are loaded on use, and evicted if too many are in memory.
 * Thread-safe.
 */
public final class Hours implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(Hours.class);

  /**
   * The most hours in memory. Each may have files open, and maps for puts. A query over more hours
   * loads them all again each time, which takes some 20 ms for each.
   */
  private static final int LOADED_MAX = 256;

  /**
   * The number of locks for loading. Two hours this far apart, or a multiple of it, share a lock
   * and are loaded one after the other.
   */
  private static final int LOAD_LOCKS = 64;

  /**
   * The number of rows and pages in memory above which unused hours are evicted; each is some 250
   * to 400 bytes.
   */
  public static final int ENTRIES_KEPT = 262_144;

  /**
   * The number of rows and pages in memory, some 200 MB, above which no write may add a row.
   * Clients share it.
   */
  public static final int ENTRIES_MAX = 600_000;

  private final int entriesKept;
  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;
  private final StoreCatalogue catalogue;
  private final MissingParts missing;
  private final Function<String, String> retentionClassOfType;

  /** The locks for loading; each is acquired before the lock of this. */
  private final Object[] loadLocks = new Object[LOAD_LOCKS];

  /** The loaded hours. Guarded by this. */
  private final Map<Hour, LoadedHour> loaded = new HashMap<>();

  private final NavigableSet<Hour> known = new ConcurrentSkipListSet<>();
  private final Map<Hour, Long> diskBytes = new ConcurrentHashMap<>();
  private final RowRoom room;
  private long uses;

  /** The number of loads in progress. Guarded by this. */
  private int loads;

  private boolean isClosed;

  /** The hours whose rows are all sealed; a write removes its hour. */
  private final Set<Hour> sealed = ConcurrentHashMap.newKeySet();

  public Hours(
      Disk disk,
      StoreFiles files,
      ByteBuffer staging,
      StoreCatalogue catalogue,
      MissingParts missing,
      Function<String, String> retentionClassOfType,
      int entriesKept,
      int entriesMax)
      throws IOException {
    this.catalogue = catalogue;
    this.missing = missing;
    this.retentionClassOfType = retentionClassOfType;
    this.entriesKept = entriesKept;
    this.room = new RowRoom(entriesMax);
    this.disk = disk;
    this.files = files;
    this.staging = staging;
    Arrays.setAll(loadLocks, i -> new Object());
    for (Path retentionClass : HourFolders.classes(files)) {
      for (Path hourDir : HourFolders.hours(retentionClass)) {
        if (HourFolders.isDropped(hourDir)) {
          disk.deleteDropped(hourDir);
        } else {
          known.add(HourFolders.hour(hourDir));
        }
      }
    }
  }

  /** Returns the hours in {@code [from, to]} that may have rows. */
  public List<Hour> known(Hour from, Hour to) {
    return from.compareTo(to) > 0 ? List.of() : List.copyOf(known.subSet(from, true, to, true));
  }

  public interface HourUse<T, E extends Exception> {
    T apply(LoadedHour state) throws E;
  }

  /** Loads the hour if needed, and keeps it in memory during the action. */
  public <T, E extends Exception> T with(Hour hour, HourUse<T, E> action) throws E {
    LoadedHour state = pinned(hour);
    try {
      return action.apply(state);
    } finally {
      state.unpin();
    }
  }

  /**
   * Asks a loaded hour; otherwise returns whether the hour is known and would have to be loaded.
   */
  public boolean mayHave(Hour hour, Predicate<LoadedHour> question) {
    Boolean answer = ifLoaded(hour, question::test);
    return answer != null ? answer : known.contains(hour);
  }

  /** Runs the action on a loaded hour; null if the hour would have to be loaded. */
  public <T> @Nullable T ifLoaded(Hour hour, Function<LoadedHour, T> action) {
    LoadedHour state = pinnedIfLoaded(hour);
    if (state == null) {
      return null;
    }
    try {
      return action.apply(state);
    } finally {
      state.unpin();
    }
  }

  /** Runs an action that writes, like {@link #with}; the hour is known from now on. */
  public <T> T withWritten(Hour hour, Function<LoadedHour, T> action) {
    return with(
        hour,
        state -> {
          synchronized (state) { // otherwise it could be found empty and forgotten meanwhile
            known.add(hour);
            return action.apply(state);
          }
        });
  }

  /**
   * Makes columns visible.
   *
   * @param client the client whose share a new row uses
   */
  public void show(Mutation mutation, long segment, long group, long nowMillis, Object client) {
    Hour hour = mutation.row().hour();
    withWritten(
        hour,
        state -> {
          Row row = state.row(mutation.row(), client);
          row.written(nowMillis);
          row.update(content -> content.withRun(new OpenRun(mutation.columns(), segment, group)));
          return null;
        });
    sealed.remove(hour);
  }

  /** Whether every row was sealed, and none was written since. */
  public boolean isSealed(Hour hour) {
    return sealed.contains(hour);
  }

  public void setSealed(Hour hour, boolean isSealed) {
    if (isSealed) {
      sealed.add(hour);
    } else {
      sealed.remove(hour);
    }
  }

  /**
   * Pins an hour, and loads it if needed. A load may take long; meanwhile, others can be used and
   * loaded.
   */
  private LoadedHour pinned(Hour hour) {
    LoadedHour there = pinnedIfLoaded(hour);
    if (there != null) {
      return there;
    }
    synchronized (loadLock(hour)) {
      there = pinnedIfLoaded(hour);
      if (there != null) {
        return there;
      }
      beginLoad();
      try {
        return pinnedNew(load(hour));
      } finally {
        endLoad();
      }
    }
  }

  private synchronized void beginLoad() {
    if (isClosed) {
      throw new UnavailableException("the store is closed");
    }
    loads++;
  }

  private synchronized void endLoad() {
    loads--;
    notifyAll();
  }

  private synchronized @Nullable LoadedHour pinnedIfLoaded(Hour hour) {
    LoadedHour state = loaded.get(hour);
    if (state != null) {
      state.pin(++uses);
    }
    return state;
  }

  private synchronized LoadedHour pinnedNew(LoadedHour state) {
    evictUnused();
    loaded.put(state.hour(), state);
    state.pin(++uses);
    return state;
  }

  private Object loadLock(Hour hour) {
    return loadLocks[Math.floorMod(hour.epochHours(), LOAD_LOCKS)];
  }

  private LoadedHour load(Hour hour) {
    LoadedHour state = new LoadedHour(hour, room.entries());
    boolean whole = false;
    try {
      for (Path retentionClass : HourFolders.classesNow(files)) {
        Path dir = retentionClass.resolve(hour.toString());
        if (FileKind.FOLDER.isAt(dir)) {
          String name = retentionClass.getFileName().toString();
          Set<Integer> lost = missing.generations(name, hour);
          if (!lost.contains(MissingParts.ALL)) {
            state.add(name, pageFiles(dir, hour, lost));
          }
        }
      }
      state.restoreMakers(room.madeBefore(hour));
      recordDiskBytes(state);
      whole = true;
      return state;
    } catch (IOException e) {
      throw new UnavailableException(
          hour + ": its inventory cannot be read: " + FileProblem.of(e), e);
    } finally {
      if (!whole) {
        var unused = state.evicted(); // for the classes that were loaded before the failure
      }
    }
  }

  /** Groups rows by the files to which they are written; absent files are created. */
  public Map<PageFiles, List<Row>> byFiles(LoadedHour state, List<Row> rows) throws IOException {
    Map<PageFiles, List<Row>> byFiles = new LinkedHashMap<>();
    for (Row row : rows) {
      PageFiles pages = filesFor(state, retentionClassOfType.apply(row.key().type()));
      byFiles.computeIfAbsent(pages, k -> new ArrayList<>()).add(row);
    }
    return byFiles;
  }

  private PageFiles filesFor(LoadedHour state, String retentionClass) throws IOException {
    String name = missing.classToWrite(retentionClass, state.hour());
    PageFiles there = state.files(name);
    if (there != null) {
      return there;
    }
    Path dir = files.hour(name, state.hour());
    disk.createDirectories(dir);
    PageFiles made = pageFiles(dir, state.hour(), Set.of());
    state.add(name, made);
    return made;
  }

  private PageFiles pageFiles(Path dir, Hour hour, Set<Integer> lost) {
    return new PageFiles(disk, dir, hour, staging, catalogue, lost);
  }

  public boolean isIncomplete(Hour hour) {
    return missing.isOf(hour);
  }

  private void evictUnused() {
    long newest = uses;
    while (loaded.size() >= LOADED_MAX || room.entries().total() > entriesKept) {
      LoadedHour oldest =
          loaded.values().stream()
              .filter(state -> state.usedAt() < newest)
              .filter(state -> !state.isPinned() && state.openRows() == 0)
              .min(Comparator.comparingLong(LoadedHour::usedAt))
              .orElse(null);
      if (oldest == null) {
        return;
      }
      loaded.remove(oldest.hour());
      room.evicted(oldest.hour(), oldest.evicted());
      // The caller cannot handle a failure. The maps are only read later.
      closeFiles(oldest);
    }
  }

  /** Loads the hour, and throws if the client may not add this row; see {@link #admit}. */
  public void prepare(RowKey row, Object client, long nowMillis) {
    with(
        row.hour(),
        state -> {
          admit(state, row, client, nowMillis);
          return state;
        });
  }

  /**
   * Throws if the row is new, and the client's share has no room for it. Rows count once they are
   * shown, so those of one group of the log may exceed a share.
   */
  public void admit(LoadedHour state, RowKey row, Object client, long nowMillis) {
    if (!room.isFullFor(client) || state.rowIfPresent(row) != null) {
      return;
    }
    synchronized (this) {
      evictUnused();
    }
    if (room.isFullFor(client)) {
      throw room.refusal(row, client, loaded(), nowMillis);
    }
  }

  /** The rows and pages in memory, by the clients that made the rows since the start. */
  public SharedRoom entries() {
    return room.entries();
  }

  /** Closes all files, even after a failure; returns whether all were closed. */
  private static boolean closeFiles(LoadedHour state) {
    boolean allClosed = true;
    for (PageFiles each : state.files()) {
      try {
        each.close();
      } catch (IOException | RuntimeException e) {
        logger.warn("{}: cannot be closed: {}", each.dir(), e.toString());
        allClosed = false;
      }
    }
    return allClosed;
  }

  public synchronized List<LoadedHour> loaded() {
    return List.copyOf(loaded.values());
  }

  /** Records the disk space of an hour, so that it is known after an eviction. */
  public void recordDiskBytes(LoadedHour state) {
    long bytes = state.files().stream().mapToLong(PageFiles::diskBytes).sum();
    diskBytes.put(state.hour(), bytes);
  }

  /** The approximate disk space of all hours that have been loaded. */
  public long diskBytes() {
    return diskBytes.values().stream().mapToLong(Long::longValue).sum();
  }

  public void forgetIfEmpty(LoadedHour state) {
    synchronized (state) {
      if (state.files().isEmpty() && state.rows().isEmpty()) {
        known.remove(state.hour());
        diskBytes.remove(state.hour());
        room.forget(state.hour());
      }
    }
  }

  /** Forgets an hour. If a thread is loading it, this waits until it is loaded. */
  public void forgetLoaded(Hour hour) {
    synchronized (loadLock(hour)) {
      synchronized (this) {
        LoadedHour state = loaded.remove(hour);
        if (state != null) {
          var unused = state.evicted();
        }
        known.remove(hour);
        diskBytes.remove(hour);
        room.forget(hour);
      }
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    // A load may cut off a torn end, and after this close the folder may have another owner.
    while (loads > 0) {
      Uninterrupted.await(this::wait);
    }
    long failed = loaded.values().stream().filter(state -> !closeFiles(state)).count();
    loaded.clear();
    if (failed > 0) {
      throw new UnavailableException(
          failed + " hours could not be closed; their maps are read only when next opened");
    }
  }
}
