package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogCommand;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.log.Replayed;
import hourglass.store.embedded.log.Visibility;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Compactor;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.embedded.maintenance.HourExpiry;
import hourglass.store.embedded.maintenance.RetentionClock;
import hourglass.store.embedded.maintenance.RowSealer;
import hourglass.store.embedded.pages.MissingParts;
import hourglass.store.embedded.pages.PageNumbers;
import hourglass.store.embedded.pages.PageWriter;
import hourglass.store.embedded.pages.StoreCatalogue;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.MemoryBudget;
import hourglass.store.embedded.rows.OpenRun;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContentReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes pages: flushing, sealing, retention, dropping. All other threads only
 * read them, so nothing here needs a lock against itself.
 */
final class Maintenance implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(Maintenance.class);

  private static final Duration LOOK_FOR_IDLE = Duration.ofMillis(250);
  private static final Duration SEAL_EVERY = Duration.ofSeconds(30);
  private static final Duration RETAIN_EVERY = Duration.ofMinutes(1);
  private static final Duration RETRY_FLUSH_AFTER = Duration.ofSeconds(1);

  private final Disk disk;
  private final StoreFiles files;
  private final Hours hours;
  private final EmbeddedOptions options;
  private final Clock clock;
  private final MemoryBudget budget;
  private final LogRange range;
  private final LateArrivalIndex arrivals;
  private final CloseDeadline stop = new CloseDeadline();
  private final StoreCatalogue catalogue;
  private final Flusher flusher;
  private final RowSealer sealer;
  private final RetentionClock retentionClock;
  private final HourExpiry retention;
  private final ScheduledThreadPoolExecutor thread;

  /** Segments that take no more writes, with the memory that their columns hold. */
  private final NavigableMap<Long, Long> ended = new ConcurrentSkipListMap<>();

  private @Nullable LogWriter logWriter;
  private volatile @Nullable String failure;

  Maintenance(
      Disk disk,
      StoreFiles files,
      Hours hours,
      RowContentReader reader,
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MemoryBudget budget,
      LogRange range,
      LateArrivalIndex arrivals,
      StoreCatalogue catalogue,
      MissingParts missing,
      long firstSegment) {
    this.catalogue = catalogue;
    this.disk = disk;
    this.files = files;
    this.hours = hours;
    this.options = options;
    this.clock = clock;
    this.budget = budget;
    this.range = range;
    this.arrivals = arrivals;
    Function<String, String> classOfType =
        type -> StoreFiles.retentionClass(options.retention(type));
    PageWriter writer = new PageWriter(new PageNumbers(firstSegment));
    this.flusher = new Flusher(hours, writer, classOfType, stop);
    this.sealer =
        new RowSealer(
            hours,
            reader,
            new Compactor(writer, reader, stop),
            classOfType,
            clock,
            options.sealAfter(),
            stop);
    this.retentionClock = new RetentionClock(clock, steadyMillis);
    this.retention = new HourExpiry(disk, hours, files, catalogue, missing, retentionClock);
    this.thread = new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "hourglass-pages"));
    // Closing does not wait for a retry: the log keeps what was not flushed.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Begins, with what was replayed to be flushed first. */
  void start(LogWriter writer, Replayed replayed) {
    logWriter = writer;
    ended.putAll(replayed.bytesBySegment());
    if (replayed.end().segment() > 0) { // one that was given up is cut too, and missed no more
      ended.putIfAbsent(replayed.end().segment(), 0L);
    }
    thread.execute(this::flush);
    every(
        LOOK_FOR_IDLE,
        () -> {
          retentionClock.look();
          var unused = writer.submit(roll(options.flushIdle(), options.flushAge()));
        });
    every(SEAL_EVERY, this::sealForAWhile);
    every(RETAIN_EVERY, () -> quietly("retention", this::retainNow));
  }

  private static LogCommand.Roll roll(Duration idle, Duration age) {
    return new LogCommand.Roll(idle, age, new CompletableFuture<>());
  }

  private void every(Duration period, Runnable task) {
    long millis = period.toMillis();
    var unused = thread.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** What happens to columns that are durable. */
  Visibility visibility() {
    return new Visibility() {
      @Override
      public void prepare(RowKey row) {
        hours.with(
            row.hour(),
            state -> {
              hours.admit(state, row);
              return state;
            });
      }

      @Override
      public void written(Mutation mutation, long segment, long group) {
        show(mutation, segment, group);
      }

      @Override
      public void dropped(Hour hour) {
        hours.forgetLoaded(hour);
      }

      @Override
      public void segmentEnded(long segment, long bytes) {
        ended.put(segment, bytes);
        thread.execute(Maintenance.this::flush);
      }
    };
  }

  private void show(Mutation mutation, long segment, long group) {
    Hour hour = mutation.row().hour();
    hours.withWritten(
        hour,
        state -> {
          Row row = state.row(mutation.row());
          row.written(clock.millis());
          row.update(content -> content.withRun(new OpenRun(mutation.columns(), segment, group)));
          return null;
        });
    sealer.reopened(hour);
  }

  /** Flushes all ended segments and cuts the log; tries again later if that fails. */
  private void flush() {
    Long newest = ended.isEmpty() ? null : ended.lastKey();
    if (newest == null) {
      return;
    }
    try {
      if (!flusher.flush(newest)) {
        log.info("closing; the log keeps what was not flushed");
        return;
      }
      cutLog(newest);
      failure = null;
    } catch (IOException | RuntimeException e) {
      failure = "pages cannot be written: " + e;
      log.warn("{}; trying again in {}", failure, RETRY_FLUSH_AFTER, e);
      retryFlush();
    }
  }

  private void retryFlush() {
    try {
      var unused =
          thread.schedule(this::flush, RETRY_FLUSH_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.info("closing; the log keeps what was not flushed");
    }
  }

  private void cutLog(long newest) throws IOException {
    arrivals.flush(newest, clock.millis());
    catalogue.cutting(arrivals.listed(newest + 1));
    range.oldestIs(newest + 1);
    for (var segment : new ArrayList<>(ended.headMap(newest, true).entrySet())) {
      disk.delete(files.segment(segment.getKey()));
      // One by one: a power cut must not leave a gap between segments.
      disk.forceDirectory(files.log());
      ended.remove(segment.getKey());
      budget.release(segment.getValue());
    }
  }

  /** Flushes everything that was written before this call. */
  CompletableFuture<Void> flushAll() {
    return writer().submit(roll(Duration.ZERO, Duration.ZERO)).thenRunAsync(this::flush, thread);
  }

  /** Flushes everything, then seals what is due. */
  CompletableFuture<Void> seal() {
    return flushAll().thenRunAsync(() -> quietly("sealing", this::sealWhole), thread);
  }

  private void sealWhole() throws IOException {
    boolean all = sealSome();
    while (!all && !stop.isClosing()) {
      all = sealSome();
    }
  }

  /** Whether all are sealed that are due. */
  private boolean sealSome() throws IOException {
    boolean all = sealer.pass();
    catalogue.force();
    return all;
  }

  /** Goes on behind what waits, such as a flush, until it is through. */
  private void sealForAWhile() {
    quietly(
        "sealing",
        () -> {
          if (!sealSome() && !stop.isClosing()) {
            thread.execute(this::sealForAWhile);
          }
        });
  }

  /** Deletes what is over. */
  CompletableFuture<Void> retain() {
    return CompletableFuture.runAsync(() -> quietly("retention", this::retainNow), thread);
  }

  private void retainNow() throws IOException {
    retention.pass();
    long fromMillis = retentionClock.instant().toEpochMilli() - options.arrivalsKeep().toMillis();
    arrivals.retain(fromMillis, options.arrivalsBytesMax());
  }

  /** Deletes an hour of all classes. */
  CompletionStage<Void> drop(Hour hour) {
    try {
      return CompletableFuture.runAsync(() -> dropNow(hour), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
  }

  private void dropNow(Hour hour) {
    try {
      for (String name : retention.classes(hour)) {
        hours.with(
            hour,
            state -> {
              try {
                retention.drop(state, name);
                return null;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      }
      writer().submit(new LogCommand.Drop(hour, new CompletableFuture<>())).join();
    } catch (IOException | UncheckedIOException e) {
      throw new UnavailableException(hour + ": cannot be dropped: " + e, e);
    } catch (CompletionException e) {
      throw new UnavailableException(hour + ": cannot be dropped: " + e.getCause(), e);
    }
  }

  private LogWriter writer() {
    LogWriter writer = logWriter;
    if (writer == null) {
      throw new UnavailableException("the store is not open yet");
    }
    return writer;
  }

  /**
   * Returns if pages can be written.
   *
   * @throws UnavailableException with the reason
   */
  void check() {
    String reason = failure;
    if (reason != null) {
      throw new UnavailableException(reason);
    }
  }

  long logBytes() {
    try {
      long bytes = 0;
      for (long segment : new LogReplay(disk, files).segments()) {
        bytes += files.segment(segment).toFile().length();
      }
      return bytes;
    } catch (IOException e) {
      return 0;
    }
  }

  private interface Pass {
    void run() throws IOException;
  }

  /** Runs something that is tried again later anyway. */
  private static void quietly(String what, Pass pass) {
    try {
      pass.run();
    } catch (IOException | RuntimeException e) {
      log.warn("{}: {}", what, e.toString(), e);
    }
  }

  /** Flushes everything that there is time for, so that the next start has little to replay. */
  @Override
  public void close() {
    stop.begin();
    LogWriter writer = logWriter;
    if (writer != null) {
      writer.submit(roll(Duration.ZERO, Duration.ZERO)).exceptionally(e -> null).join();
      writer.close();
    }
    thread.shutdown();
    // However long it takes: the lock must not be let go while pages are being written.
    Uninterrupted.await(() -> thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }
}
