package hourglass.store.embedded.memory;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.ReadEpochs;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
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

/**
 * The hours of the store, which are loaded on use, and evicted if too many are in memory.
 * Thread-safe.
 */
public final class Hours implements Closeable {
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

  private final PageFiles files;
  private final MissingParts missing;
  private final Function<String, String> retentionClassOfType;

  /** The locks for loading; each is acquired before the lock of this. */
  private final Object[] loadLocks = new Object[LOAD_LOCKS];

  /** The loaded hours. Guarded by this. */
  private final Map<Hour, LoadedHour> loaded = new HashMap<>();

  private final NavigableSet<Hour> known = new ConcurrentSkipListSet<>();
  private final RowRoom room;

  /** Guarded by this. */
  private final HourEviction eviction;

  private long uses;

  /** The number of loads in progress. Guarded by this. */
  private int loads;

  private boolean isClosed;

  /** The hours whose rows are all sealed; a write removes its hour. */
  private final Set<Hour> sealed = ConcurrentHashMap.newKeySet();

  public Hours(
      PageFiles files,
      MissingParts missing,
      Function<String, String> retentionClassOfType,
      int entriesKept,
      int entriesMax) {
    this.files = files;
    this.missing = missing;
    this.retentionClassOfType = retentionClassOfType;
    this.room = new RowRoom(entriesMax);
    this.eviction = new HourEviction(room, entriesKept);
    Arrays.setAll(loadLocks, i -> new Object());
    files.catalogue().hours().forEach(of -> known.add(of.hour()));
  }

  /** Returns the hours in {@code [from, to]} that may have rows. */
  public List<Hour> known(Hour from, Hour to) {
    return from.compareTo(to) > 0 ? List.of() : List.copyOf(known.subSet(from, true, to, true));
  }

  public interface HourUse<T, E extends Exception> {
    T apply(LoadedHour state) throws E;
  }

  /**
   * Loads the hour if needed, and keeps it in memory during the action, with the files that it may
   * read.
   */
  public <T, E extends Exception> T with(Hour hour, HourUse<T, E> action) throws E {
    ReadEpochs.Epoch epoch = files.reads().begin();
    try {
      LoadedHour state = pinned(hour);
      try {
        return action.apply(state);
      } finally {
        state.unpin();
      }
    } finally {
      files.reads().end(epoch);
    }
  }

  /** Loads the hour if needed, and keeps it in memory until the pin is closed. */
  public PinnedHour pin(Hour hour) {
    return new PinnedHour(pinned(hour));
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
    ReadEpochs.Epoch epoch = files.reads().begin();
    try {
      LoadedHour state = pinnedIfLoaded(hour);
      if (state == null) {
        return null;
      }
      try {
        return action.apply(state);
      } finally {
        state.unpin();
      }
    } finally {
      files.reads().end(epoch);
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
    eviction.evictIfDue(loaded, uses);
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
      for (String retentionClass : files.catalogue().classes(hour)) {
        HourPages pages = new HourPages(files, new ClassHour(retentionClass, hour));
        state.add(pages, missing.files(pages.of()));
      }
      state.restoreMakers(room.madeBefore(hour));
      whole = true;
      return state;
    } finally {
      if (!whole) {
        var unused = state.evicted(); // for the classes that were loaded before the failure
      }
    }
  }

  /** Groups rows by the pages to which they are added. */
  public Map<HourPages, List<Row>> byPages(LoadedHour state, List<Row> rows) {
    Map<HourPages, List<Row>> byPages = new LinkedHashMap<>();
    for (Row row : rows) {
      HourPages pages = pagesFor(state, retentionClassOfType.apply(row.key().type()));
      byPages.computeIfAbsent(pages, k -> new ArrayList<>()).add(row);
    }
    return byPages;
  }

  private HourPages pagesFor(LoadedHour state, String retentionClass) {
    HourPages there = state.pages(retentionClass);
    if (there != null) {
      return there;
    }
    HourPages made = new HourPages(files, new ClassHour(retentionClass, state.hour()));
    state.add(made, Set.of());
    return made;
  }

  public boolean isIncomplete(Hour hour) {
    return missing.isOf(hour);
  }

  /** Evicts unused hours beyond those that stay in memory, such as those of an import. */
  public synchronized void evictUnused() {
    eviction.evict(loaded, uses);
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
    evictUnused();
    if (room.isFullFor(client)) {
      throw room.refusal(row, client, loaded(), nowMillis);
    }
  }

  /** The rows and pages in memory, by the clients that made the rows since the start. */
  public SharedRoom entries() {
    return room.entries();
  }

  public synchronized List<LoadedHour> loaded() {
    return List.copyOf(loaded.values());
  }

  public void forgetIfEmpty(LoadedHour state) {
    synchronized (state) {
      if (state.pages().isEmpty() && state.rows().isEmpty()) {
        known.remove(state.hour());
        room.forget(state.hour());
      }
    }
  }

  /**
   * Removes the pages of an hour and class that are not listed any more. An hour that is not in
   * memory is not loaded for that.
   */
  public void forgetPages(ClassHour of) {
    Hour hour = of.hour();
    synchronized (loadLock(hour)) { // a load that is under way may have found them
      LoadedHour state = pinnedIfLoaded(hour);
      if (state != null) {
        state.remove(of.retentionClass());
        forgetIfEmpty(state);
        state.unpin();
      } else if (files.catalogue().classes(hour).isEmpty()) {
        known.remove(hour);
        room.forget(hour);
      }
    }
  }

  /** Removes the columns of a type that are in no page. An hour that is not loaded has none. */
  public void forgetRuns(TypeHour of) {
    var unused =
        ifLoaded(
            of.hour(),
            state -> {
              state.rows(of.type()).forEach(row -> row.update(RowContent::withoutRuns));
              forgetIfEmpty(state);
              return state;
            });
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
        room.forget(hour);
      }
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    while (loads > 0) {
      Uninterrupted.await(this::wait);
    }
    loaded.values().forEach(state -> state.pages().forEach(HourPages::forget));
    loaded.clear();
  }
}
