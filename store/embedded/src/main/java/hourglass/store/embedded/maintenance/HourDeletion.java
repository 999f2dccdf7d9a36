package hourglass.store.embedded.maintenance;

import hourglass.access.Failures;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.DroppedHours;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.SpareRoom;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.memory.Hours;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes hours: first from the catalogue, durably, and then the files that have nothing else. On a
 * full disk, the spare room takes the record. Once that is durable, the hours are gone; bytes that
 * cannot be freed at once are freed later. Not thread-safe.
 */
public final class HourDeletion {
  private static final Logger logger = LoggerFactory.getLogger(HourDeletion.class);

  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;
  private final GoneFiles gone;
  private final MissingParts missing;
  private final RetentionClock clock;
  private final LogWriter log;
  private final SpareRoom spare;

  public HourDeletion(
      Hours hours,
      PageFiles files,
      SectionMerger merger,
      MissingParts missing,
      RetentionClock clock,
      LogWriter log,
      SpareRoom spare,
      CloseDeadline deadline) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
    this.gone = new GoneFiles(files, merger, deadline);
    this.missing = missing;
    this.clock = clock;
    this.log = log;
    this.spare = spare;
  }

  /** Deletes hours of single classes, all or none. Files that they share are rewritten later. */
  void expire(List<ClassHour> all) throws IOException {
    spare.writing(() -> files.catalogue().gone(gone(all)));
    forget(all);
    spare.keep();
  }

  /**
   * Deletes hours of all classes, and begins to free their bytes. The catalogue notes that they
   * were dropped in the same group in which their pages leave it.
   */
  public void drop(Collection<Hour> dropped) throws IOException {
    Set<Hour> set = Set.copyOf(dropped);
    List<ClassHour> all =
        files.catalogue().hours().stream().filter(of -> set.contains(of.hour())).toList();
    spare.writing(() -> files.catalogue().dropped(DroppedHours.of(set), gone(all)));
    forget(all);
    freeBytes();
  }

  /** Drops what the log has of hours, and what is not in pages yet. They share a force. */
  void dropFromLog(Collection<Hour> dropped) throws IOException {
    spare.writing(
        () -> {
          List<CompletableFuture<Void>> logged = dropped.stream().map(log::drop).toList();
          for (CompletableFuture<Void> each : logged) {
            await(each);
          }
        });
  }

  /** Drops what the log has of a type of an hour, and what is not in pages yet. */
  void dropFromLog(TypeHour of) throws IOException {
    spare.writing(() -> await(log.drop(of)));
  }

  private static void await(CompletableFuture<Void> logged) throws IOException {
    try {
      logged.join();
    } catch (CompletionException e) {
      Throwable failure = Failures.cause(e);
      if (failure.getCause() instanceof IOException ofDisk) {
        throw ofDisk;
      }
      throw failure instanceof RuntimeException other ? other : e;
    }
  }

  /** The bytes of deleted hours that the next rewrites free. */
  long leavingBytes() {
    return merger.leavingBytes();
  }

  /** Notes that a type of an hour is dropped. Its pages are to be removed next. */
  void note(TypeHour dropped) throws IOException {
    spare.writing(() -> files.catalogue().dropped(DroppedHours.of(dropped), List.of()));
  }

  private List<CatalogueRecord.Gone> gone(List<ClassHour> all) {
    int since = clock.hour();
    return all.stream().map(of -> new CatalogueRecord.Gone(of, since)).toList();
  }

  private void forget(List<ClassHour> gone) {
    for (ClassHour of : gone) {
      hours.forgetPages(of);
      missing.forget(of);
    }
  }

  /**
   * Begins to free the bytes of dropped hours. Whole files are deleted first, since a full disk has
   * no room to rewrite the others before.
   */
  void freeBytes() {
    try {
      files.deleteUnused();
      files.aside().deleteUnused();
    } catch (IOException e) {
      logger.warn("files of deleted hours cannot be deleted, tried again later: {}", e.toString());
    }
    gone.begin();
    freeSome();
  }

  /** Begins to free the bytes of dropped hours that the last process left in page files. */
  void freeBytesLeft() {
    gone.beginDropped();
    if (gone.hasMore()) {
      freeSome();
    }
  }

  /** Rewrites files that have bytes of dropped hours, for a limited time. */
  void freeSome() {
    gone.rewriteSome();
    spare.keep();
  }

  /** Whether there is more to do for {@link #freeSome}. */
  boolean isFreeing() {
    return gone.hasMore();
  }
}
