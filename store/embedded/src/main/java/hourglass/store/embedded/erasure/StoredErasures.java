package hourglass.store.embedded.erasure;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.OverloadedException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The erasures of a store, each in a file of its own that is replaced as a whole. Thread-safe: the
 * pages thread changes them, many read.
 *
 * <pre>
 * begin: VERSION raised, if it is not yet    older programs refuse the folder from then on
 *        erasures/ made, the folder forced   once in each process, and again after a failure
 *        N.erasure.new, forced, renamed      the names of columns, which are hidden from then on
 * done:  the file again                      only hashes, for as long as repeats are recognised
 * forget: deleted
 * </pre>
 */
public final class StoredErasures {
  private static final Logger logger = LoggerFactory.getLogger(StoredErasures.class);

  /** The proposed wait if too many columns are remembered: they are for days. */
  private static final Duration RETRY_AFTER = Duration.ofHours(1);

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging;

  /** All erasures by the numbers of their files. Guarded by this. */
  private final NavigableMap<Long, Progress> all = new TreeMap<>();

  private long newest;

  /**
   * Whether the raised version and the folder of erasures survive a power cut. Another process, or
   * an attempt that failed, may have left them without a force. Used by the pages thread alone.
   */
  private boolean areNamesForced;

  private volatile ErasedColumns current = ErasedColumns.NONE;

  /** How far an erasure is; {@code failure} is what was in the way the last time, or null. */
  private record Progress(StoredErasure stored, State state, @Nullable String failure) {}

  /**
   * An erasure for those who ask.
   *
   * @param failure what was in the way of the removal of its bytes the last time, or null
   * @param doneAt null before its bytes were gone
   * @param typeHours those of its columns
   */
  public record Known(
      TimeUuid id,
      State state,
      int columns,
      @Nullable String failure,
      @Nullable Instant doneAt,
      Set<TypeHour> typeHours) {}

  private StoredErasures(Disk disk, StoreFiles files, ByteBuffer staging) {
    this.disk = disk;
    this.files = files;
    this.staging = staging;
  }

  /**
   * Loads the erasures. Those that are not done are to be rewritten.
   *
   * @param staging the buffer of the pages thread
   * @throws hourglass.store.CorruptException if a file is damaged
   */
  public static StoredErasures load(Disk disk, StoreFiles files, ByteBuffer staging)
      throws IOException {
    StoredErasures erasures = new StoredErasures(disk, files, staging);
    for (long number : StoreFiles.numbers(files.erasures(), StoreFiles.ERASURE_SUFFIX)) {
      StoredErasure read = ErasureFile.read(files.erasure(number), number);
      State state = read.hidden() == null ? State.DONE : State.REWRITING;
      erasures.put(new Progress(read, state, null));
    }
    erasures.current = erasures.columns();
    if (!erasures.all.isEmpty()) {
      erasures.forceNames(); // the files may have been copied here
      disk.forceDirectory(files.erasures()); // or moved by a process that was killed before this
    }
    StoreFiles.deleteUnfinished(disk, files.erasures(), StoreFiles.ERASURE_SUFFIX);
    return erasures;
  }

  /** Returns the columns to hide and to remember. */
  public ErasedColumns current() {
    return current;
  }

  private synchronized void put(Progress progress) {
    all.put(progress.stored().number(), progress);
    newest = Math.max(newest, progress.stored().number());
  }

  private synchronized List<StoredErasure> stored() {
    return all.values().stream().map(Progress::stored).toList();
  }

  /**
   * Returns the columns of all erasures. Runs on the pages thread, which alone changes them. It
   * holds no lock, as the columns may be millions.
   */
  private ErasedColumns columns() {
    List<StoredErasure> stored = stored();
    return ErasedColumns.of(
        stored.stream().map(StoredErasure::hidden).filter(Objects::nonNull).toList(),
        stored.stream().map(StoredErasure::remembered).toList());
  }

  /** Shows fewer columns, after an erasure ended or was forgotten. */
  private void publishFewer() {
    current = columns().withMarkOf(current);
  }

  /**
   * Notes an erasure, which is durable on return. A repeat of one that began has no effect.
   *
   * @param space the guard of the disk: the file may use the upper half of its reserve, since an
   *     erasure frees bytes
   */
  public void begin(Erasure erasure, SpaceGuard space) throws IOException {
    long number;
    synchronized (this) {
      if (find(erasure.id()) != null) {
        return;
      }
      refuseMoreThanAreRemembered(erasure);
      number = ++newest;
    }
    space.checkFreeing(ErasureFile.bytesMax(erasure));
    StoredErasure begun = StoredErasure.begun(number, erasure);
    try {
      forceNames();
      write(begun);
    } catch (IOException e) {
      tryDeleting(number); // otherwise the next start goes on with it
      throw e;
    }
    put(new Progress(begun, State.HIDDEN, null));
    current = columns();
  }

  private void refuseMoreThanAreRemembered(Erasure erasure) {
    long remembered = current.remembered();
    if (remembered + erasure.columns() > ErasureJournal.REMEMBERED_MAX) {
      throw new OverloadedException(
          "erasure of %,d columns: %,d are remembered, of at most %,d, so that repeats do not bring them back; wait until some are forgotten, make erasure.remember shorter, or drop the hours"
              .formatted(erasure.columns(), remembered, ErasureJournal.REMEMBERED_MAX),
          RETRY_AFTER);
    }
  }

  private void forceNames() throws IOException {
    if (!areNamesForced || !FileKind.FOLDER.isAt(files.erasures())) {
      areNamesForced = false;
      StoreVersion.raiseForErasures(disk, files);
      disk.createDirectories(files.erasures());
      disk.forceDirectory(files.dir());
      areNamesForced = true;
    }
  }

  private void write(StoredErasure erasure) throws IOException {
    Path made = StoreFiles.unfinished(files.erasure(erasure.number()));
    ErasureFile.write(disk, made, staging, erasure);
    disk.move(made, files.erasure(erasure.number()));
    disk.forceDirectory(files.erasures());
  }

  private void tryDeleting(long number) {
    if (!FileKind.FOLDER.isAt(files.erasures())) {
      return; // it could not be made
    }
    try {
      disk.delete(StoreFiles.unfinished(files.erasure(number)));
      disk.delete(files.erasure(number));
      disk.forceDirectory(files.erasures());
    } catch (IOException e) {
      logger.warn("{}: cannot be deleted: {}", files.erasure(number), e.toString());
    }
  }

  private synchronized @Nullable Progress find(TimeUuid id) {
    return all.values().stream()
        .filter(each -> each.stored().id().equals(id))
        .findAny()
        .orElse(null);
  }

  /** Asks for the removal of an erasure's bytes, which changes no columns. */
  public synchronized void rewrite(TimeUuid id) {
    Progress found = find(id);
    if (found == null) {
      throw new IllegalArgumentException("erasure " + id + ": not begun");
    }
    if (found.state() == State.HIDDEN) {
      put(new Progress(found.stored(), State.REWRITING, null));
    }
  }

  /** Returns the erasures whose bytes are to be removed, the oldest first. */
  public synchronized List<Erasure> rewriting() {
    return all.values().stream()
        .filter(each -> each.state() == State.REWRITING)
        .map(each -> each.stored().hidden())
        .filter(Objects::nonNull)
        .toList();
  }

  /** Notes why the bytes of an erasure could not be removed. A repeat is not logged. */
  public synchronized void failed(TimeUuid id, String failure) {
    Progress found = find(id);
    if (found != null && !failure.equals(found.failure())) {
      logger.warn("erasure {}: {}; trying again", id, failure);
      waits(id, failure);
    }
  }

  /** Notes what the removal of an erasure's bytes waits for. */
  public synchronized void waits(TimeUuid id, String reason) {
    Progress found = find(id);
    if (found != null) {
      all.put(found.stored().number(), new Progress(found.stored(), found.state(), reason));
    }
  }

  /** Forgets the names of an erasure whose bytes are gone; that is durable on return. */
  public void done(TimeUuid id, Instant now) throws IOException {
    Progress found = find(id);
    if (found != null && found.state() != State.DONE) {
      StoredErasure done = found.stored().done(now.toEpochMilli());
      write(done);
      put(new Progress(done, State.DONE, null));
      publishFewer();
    }
  }

  /** Forgets the hashes of erasures that were done before a time. */
  public void forget(Instant doneBefore) throws IOException {
    List<Long> due = doneBefore(doneBefore.toEpochMilli());
    if (due.isEmpty()) {
      return;
    }
    try {
      for (long number : due) {
        disk.delete(files.erasure(number));
        synchronized (this) {
          all.remove(number);
        }
      }
      disk.forceDirectory(files.erasures());
    } finally {
      publishFewer(); // also what was deleted before a failure
    }
  }

  private synchronized List<Long> doneBefore(long millis) {
    return all.entrySet().stream()
        .filter(each -> each.getValue().state() == State.DONE)
        .filter(each -> each.getValue().stored().doneMillis() < millis)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns all erasures that are not forgotten, the newest first. */
  public synchronized List<Known> all() {
    List<Known> known = new ArrayList<>();
    for (Progress each : all.values()) {
      StoredErasure stored = each.stored();
      Instant doneAt = stored.hidden() == null ? Instant.ofEpochMilli(stored.doneMillis()) : null;
      known.add(
          new Known(
              stored.id(),
              each.state(),
              stored.columns(),
              each.failure(),
              doneAt,
              stored.remembered().names().keySet()));
    }
    Collections.reverse(known);
    return known;
  }

  /** Returns the number of erasures whose bytes may still be there. */
  public synchronized int hidden() {
    return (int) all.values().stream().filter(each -> each.state() != State.DONE).count();
  }

  /** Returns the files and their lengths. */
  public synchronized Map<Path, Long> lengths() throws IOException {
    Map<Path, Long> lengths = new TreeMap<>();
    for (long number : all.keySet()) {
      lengths.put(files.erasure(number), Files.size(files.erasure(number)));
    }
    return lengths;
  }
}
