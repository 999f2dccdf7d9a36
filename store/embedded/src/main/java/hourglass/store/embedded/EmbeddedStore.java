package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.BudgetDrop;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.RetentionOutlook;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.SpareRoom;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.late.DuplicateLookup;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.log.CommitLog;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.maintenance.BudgetKeeper;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Compactor;
import hourglass.store.embedded.maintenance.DiskUse;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.embedded.maintenance.HourExpiry;
import hourglass.store.embedded.maintenance.LogCutter;
import hourglass.store.embedded.maintenance.RetentionClock;
import hourglass.store.embedded.maintenance.RowSealer;
import hourglass.store.embedded.maintenance.SectionMerger;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.MemoryBudget;
import hourglass.store.rows.RowPartsReader;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The embedded engine: one process, one directory. An acknowledged column survives kill -9 and
 * power loss. Thread-safe.
 */
public final class EmbeddedStore implements WideColumnStore {
  private static final long PAGE_CACHE_BYTES = 24L << 20;

  private final DirectoryLock lock;
  private final PageFiles pageFiles;
  private final Hours hours;
  private final MissingParts missing;
  private final SettleClock settleClock;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;
  private final Writes writes;
  private final Flusher flusher;
  private final Maintenance maintenance;
  private final Readers readers;
  private final Readers claimReaders;
  private final RowsOnThreads reads;
  private final InMemoryClaims claims;
  private volatile boolean closed;

  EmbeddedStore(
      DirectoryLock lock,
      Disk disk,
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MeterRegistry meters,
      Consumer<BudgetDrop> drops)
      throws IOException {
    this.lock = lock;
    StoreFiles files = new StoreFiles(options.dir());
    CatalogueOpening contents = CatalogueOpening.open(disk, files, options.missing());
    StoreCatalogue catalogue = contents.catalogue();
    this.missing = contents.missing();
    lock.beginWatch();
    MemoryBudget budget = new MemoryBudget(options.memoryBudgetBytes());
    this.pageFiles = new PageFiles(disk, files, catalogue);
    this.hours =
        new Hours(
            pageFiles,
            missing,
            type -> StoreFiles.retentionClass(options.retention().forType(type)),
            Hours.ENTRIES_KEPT,
            Hours.ENTRIES_MAX);
    this.readers = new Readers("read", Runtime.getRuntime().availableProcessors());
    RowPartsReader rowReader = new RowPartsReader(PAGE_CACHE_BYTES);
    this.reads = new RowsOnThreads(hours, rowReader, readers);
    // Claims have a thread of their own: writes wait for claims, which must not wait for reads.
    this.claimReaders = new Readers("claim", 1);
    this.claims = new InMemoryClaims(hours, claimReaders);
    this.settleClock = new SettleClock(clock, options.settle(), disk, files.settled());
    this.lateArrivals =
        new LateArrivalIndex(disk, files, budget, settleClock, catalogue.log(), missing);
    this.firstTimes =
        new FirstTimeIndex(
            disk,
            files,
            FrameWriter.staging(),
            options.untimedWindow(),
            options.untimedEventsMax(),
            steadyMillis);
    LogReplay.Result replayed =
        new LogReplay(disk, files, hours, budget, lateArrivals, firstTimes, missing)
            .run(catalogue.log().segment(), catalogue.newestGroup());
    contents.check().refuseOlderLog(replayed.nextGroup());
    lateArrivals.refuseOlderLog(replayed.nextGroup());
    pageFiles.removeUnlisted(replayed.nextGroup(), missing.count() > 0);
    lateArrivals.forgetGivenUp(replayed.nextGroup());
    missing.warnUnused();
    LogRange range = new LogRange(disk, files, replayed);
    CommitLog commitLog = new CommitLog(disk, files, range, replayed);
    CloseDeadline deadline = new CloseDeadline();
    PageWriter pages = new PageWriter(commitLog.segment());
    ScheduledThreadPoolExecutor thread = Maintenance.thread();
    SpaceGuard space = new SpaceGuard(disk, options.dir(), options.reserveBytes());
    RetentionClock retentionClock = new RetentionClock(clock, steadyMillis);
    SectionMerger merger = new SectionMerger(hours, pageFiles, space, retentionClock, deadline);
    this.flusher =
        new Flusher(
            hours,
            pageFiles,
            pages,
            merger,
            deadline,
            new LogCutter(
                disk, files, catalogue, range, replayed, budget, lateArrivals, firstTimes, clock),
            thread);
    LogWriter log =
        new LogWriter(
            commitLog,
            options.segmentBytes(),
            budget,
            hours,
            flusher,
            lateArrivals,
            firstTimes,
            settleClock,
            clock);
    this.writes =
        new Writes(
            lock.watch(),
            space,
            flusher,
            log,
            firstTimes,
            settleClock,
            new DuplicateLookup(hours),
            readers);
    RowSealer sealer =
        new RowSealer(
            hours,
            pageFiles,
            rowReader,
            new Compactor(pages, rowReader),
            merger,
            space,
            clock,
            options.sealAfter(),
            deadline);
    StoreMeters gauges = new StoreMeters(meters);
    HourExpiry expiry =
        new HourExpiry(hours, pageFiles, merger, missing, options.retention(), retentionClock);
    BudgetKeeper budgetKeeper =
        new BudgetKeeper(
            options.budget(),
            new DiskUse(disk, options.dir(), pageFiles, this::diskBytes),
            hours,
            pageFiles,
            expiry,
            new SpareRoom(disk, files),
            retentionClock,
            clock,
            steadyMillis,
            options.sealAfter(),
            drops);
    this.maintenance =
        new Maintenance(
            options,
            log,
            flusher,
            sealer,
            expiry,
            budgetKeeper,
            retentionClock,
            lateArrivals,
            firstTimes,
            deadline,
            gauges.holders(firstTimes, hours),
            thread);
    maintenance.start();
    gauges.register(this, budget, space, firstTimes, hours, missing);
  }

  /**
   * Opens a store, and replays its log.
   *
   * @throws UnavailableException if another process has the store open, or a file cannot be read
   * @throws CorruptException if a file is damaged; the message names the place and the remedy
   */
  public static EmbeddedStore open(EmbeddedOptions options, Clock clock, MeterRegistry meters) {
    return open(options, clock, meters, drop -> {});
  }

  /**
   * Opens a store like {@link #open(EmbeddedOptions, Clock, MeterRegistry)}.
   *
   * @param drops called on the store's thread for each hour that was dropped for its budget
   */
  public static EmbeddedStore open(
      EmbeddedOptions options, Clock clock, MeterRegistry meters, Consumer<BudgetDrop> drops) {
    LongSupplier steadyMillis = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    return StoreOpening.open(options, clock, steadyMillis, meters, new SystemDisk(), drops);
  }

  static EmbeddedStore open(
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MeterRegistry meters,
      Disk disk) {
    return StoreOpening.open(options, clock, steadyMillis, meters, disk, drop -> {});
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
    return mutations.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : writes.write(mutations, times, client);
  }

  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return ifOpen(() -> writes.firstTimes(found, client));
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return read(() -> lateArrivals.after(after, namesMax));
  }

  /**
   * Returns a view that reads on {@code threads}. The caller limits the number of waiting reads, as
   * a query does by its fan-out.
   */
  @Override
  public WideColumnStore readingOn(Executor threads) {
    return new StoreOnThreads(this, reads.on(threads));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return reads.slice(query);
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return reads.count(query);
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return reads.values(query);
  }

  @Override
  public boolean keepsFieldsApart() {
    return true;
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return reads.rows(hour);
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return reads.hours(from, to);
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> published) {
    return ifOpen(() -> claims.claim(typeHour, published));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return ifOpen(() -> CompletableFuture.completedFuture(claims.published(typeHour)));
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    return maintenance.drop(hour).thenRun(() -> claims.forget(hour));
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return ifOpen(
        () -> CompletableFuture.completedFuture(pageFiles.catalogue().dropped().within(from, to)));
  }

  @Override
  public CompletionStage<RetentionOutlook> outlook(int hoursMax) {
    return maintenance.outlook(hoursMax);
  }

  @Override
  public CompletionStage<Void> check() {
    return read(
        () -> {
          writes.check();
          return null;
        });
  }

  /** Throws if the directory is known to be lost. Does not access the disk. */
  void refuseIfLost() {
    lock.watch().refuseIfLost();
  }

  @Override
  public Duration clockBehind() {
    return settleClock.clockBehind();
  }

  Maintenance maintenance() {
    return maintenance;
  }

  private <T> CompletionStage<T> read(Supplier<T> reading) {
    return readers.submit(reading);
  }

  private <T> CompletionStage<T> ifOpen(Supplier<CompletionStage<T>> request) {
    return closed
        ? CompletableFuture.failedFuture(new UnavailableException("the store is closed"))
        : request.get();
  }

  long diskBytes() {
    return pageFiles.diskBytes()
        + flusher.logBytes()
        + lateArrivals.diskBytes()
        + firstTimes.diskBytes();
  }

  @Override
  public List<String> missing(Hour from, Hour to) {
    return missing.of(from, to);
  }

  long lateArrivalBytes() {
    return lateArrivals.diskBytes();
  }

  long logBytes() {
    return flusher.logBytes();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<AutoCloseable> parts =
        List.of(
            readers,
            claimReaders,
            settleClock::close,
            maintenance,
            lateArrivals,
            hours,
            pageFiles,
            lock);
    RuntimeException failure = null;
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        failure = new UnavailableException("the store closed with a failure: " + e, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
