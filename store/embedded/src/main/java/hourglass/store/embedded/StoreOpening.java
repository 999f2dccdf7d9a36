package hourglass.store.embedded;

import hourglass.store.BudgetDrop;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.PointNames;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.OwnedDisk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.SpareRoom;
import hourglass.store.embedded.late.DuplicateLookup;
import hourglass.store.embedded.log.CommitLog;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.maintenance.BudgetKeeper;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Compactor;
import hourglass.store.embedded.maintenance.DiskUse;
import hourglass.store.embedded.maintenance.ErasedFiles;
import hourglass.store.embedded.maintenance.ErasedPages;
import hourglass.store.embedded.maintenance.Eraser;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.embedded.maintenance.HourDeletion;
import hourglass.store.embedded.maintenance.HourExpiry;
import hourglass.store.embedded.maintenance.LogCutter;
import hourglass.store.embedded.maintenance.RequestedDrops;
import hourglass.store.embedded.maintenance.RetentionClock;
import hourglass.store.embedded.maintenance.RetentionPolicy;
import hourglass.store.embedded.maintenance.RowSealer;
import hourglass.store.embedded.maintenance.SectionMerger;
import hourglass.store.embedded.maintenance.TypeExpiry;
import hourglass.store.embedded.maintenance.TypeRemoval;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.rows.RowPartsReader;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Locks a data directory, loads its content, and puts the parts of a store together. */
final class StoreOpening {
  private static final long PAGE_CACHE_BYTES = 24L << 20;

  private final EmbeddedOptions options;
  private final StoreFiles files;
  private final Clock clock;
  private final LongSupplier steadyMillis;
  private final MeterRegistry meters;
  private final Consumer<BudgetDrop> drops;

  private StoreOpening(
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MeterRegistry meters,
      Consumer<BudgetDrop> drops) {
    this.options = options;
    this.files = new StoreFiles(options.dir());
    this.clock = clock;
    this.steadyMillis = steadyMillis;
    this.meters = meters;
    this.drops = drops;
  }

  static EmbeddedStore open(
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MeterRegistry meters,
      Disk disk,
      Consumer<BudgetDrop> drops) {
    StoreOpening opening = new StoreOpening(options, clock, steadyMillis, meters, drops);
    DirectoryLock lock = null;
    try {
      // A lock file may belong to another program.
      StoreVersion.of(opening.files);
      disk.createDirectories(options.dir());
      FileKind.FILE.isAt(opening.files.lock());
      lock = DirectoryLock.take(opening.files);
      return opening.open(lock, new OwnedDisk(disk, lock.watch()), disk);
    } catch (IOException | RuntimeException e) {
      if (lock != null) {
        QuietClose.quietly(lock);
      }
      throw e instanceof RuntimeException failure
          ? failure
          : new UnavailableException(options.dir() + ": cannot be opened: " + e, e);
    }
  }

  /**
   * Opens the store.
   *
   * @param disk fails once the lock is lost
   * @param otherDisk for files of other directories
   */
  private EmbeddedStore open(DirectoryLock lock, Disk disk, Disk otherDisk) throws IOException {
    CatalogueOpening opened = CatalogueOpening.open(disk, files, options.missing());
    lock.beginWatch();
    StoreContent content = StoreContent.load(opened, disk, files, options, clock, steadyMillis);
    LogReplay.Result replayed = content.replay(opened, disk, files);
    LogRange range = new LogRange(disk, files, replayed);
    CommitLog commitLog = new CommitLog(disk, files, range, replayed);
    Readers readers = new Readers("read", Runtime.getRuntime().availableProcessors());
    RowPartsReader rowReader = new RowPartsReader(PAGE_CACHE_BYTES);
    SpaceGuard space = new SpaceGuard(disk, options.dir(), options.reserveBytes());
    CloseDeadline deadline = new CloseDeadline();
    RetentionClock retentionClock = new RetentionClock(clock, steadyMillis);
    PageWriter pageWriter = new PageWriter(commitLog.segment());
    SectionMerger merger =
        new SectionMerger(content.hours(), content.pages(), space, retentionClock, deadline);
    ScheduledThreadPoolExecutor thread = Maintenance.thread();
    LogCutter cutter =
        new LogCutter(
            disk,
            files,
            content.pages().catalogue(),
            range,
            replayed,
            content.memory(),
            content.lateArrivals(),
            content.firstTimes(),
            clock);
    Flusher flusher =
        new Flusher(content.hours(), content.pages(), pageWriter, merger, deadline, cutter, thread);
    LogWriter log = log(commitLog, content, flusher);
    Compactor compactor = new Compactor(pageWriter, rowReader);
    RowSealer sealer =
        new RowSealer(
            content.hours(),
            content.pages(),
            rowReader,
            compactor,
            merger,
            space,
            clock,
            options.sealAfter(),
            deadline);
    DiskUse use =
        new DiskUse(
            disk,
            options.dir(),
            content.pages(),
            cutter,
            content.lateArrivals(),
            content.firstTimes());
    StoreMeters gauges = new StoreMeters(meters);
    AtomicInteger keepers = new AtomicInteger();
    Eraser eraser =
        new Eraser(
            content.erasures(),
            log,
            flusher,
            new ErasedPages(content.hours(), content.pages(), compactor, merger, space),
            new ErasedFiles(content.hours(), content.pages(), merger),
            content.lateArrivals(),
            content.firstTimes(),
            () -> keepers.get() > 0,
            retentionClock,
            deadline);
    Maintenance maintenance =
        new Maintenance(
            options,
            log,
            flusher,
            sealer,
            deletions(disk, content, use, merger, log, retentionClock, deadline),
            content.lateArrivals(),
            content.firstTimes(),
            deadline,
            gauges.holders(content.firstTimes(), content.hours()),
            thread,
            eraser,
            keepers);
    StorePoints points =
        new StorePoints(
            files,
            content.pages(),
            content.missing(),
            log,
            content.lateArrivals(),
            content.firstTimes(),
            content.erasures(),
            maintenance);
    Backups backups = new Backups(points, options.dir(), otherDisk, clock, space);
    EmbeddedStore store =
        new EmbeddedStore(
            lock,
            content,
            use,
            writes(lock, space, flusher, log, content, readers),
            maintenance,
            readers,
            new RowsOnThreads(content.hours(), rowReader, readers),
            new InMemoryClaims(content.hours(), new Readers("claim", 1)),
            backups,
            new Erasures(
                files,
                content.erasures(),
                content.pages().catalogue(),
                space,
                maintenance,
                backups,
                options.backupDirs(),
                new PointNames(),
                new Readers("erasures", 1)));
    maintenance.start();
    gauges.register(store, use, space, content);
    return store;
  }

  private LogWriter log(CommitLog commitLog, StoreContent content, Flusher flusher) {
    return new LogWriter(
        commitLog,
        options.segmentBytes(),
        content.memory(),
        content.hours(),
        flusher,
        content.lateArrivals(),
        content.firstTimes(),
        content.settleClock(),
        clock);
  }

  private static Writes writes(
      DirectoryLock lock,
      SpaceGuard space,
      Flusher flusher,
      LogWriter log,
      StoreContent content,
      Readers readers) {
    return new Writes(
        lock.watch(),
        space,
        flusher,
        log,
        content.firstTimes(),
        content.settleClock(),
        new DuplicateLookup(content.hours()),
        readers);
  }

  private Deletions deletions(
      Disk disk,
      StoreContent content,
      DiskUse use,
      SectionMerger merger,
      LogWriter log,
      RetentionClock retentionClock,
      CloseDeadline deadline) {
    Hours hours = content.hours();
    RetentionPolicy policy = new RetentionPolicy(options.retention());
    SpareRoom spare = new SpareRoom(disk, files);
    HourDeletion deletion =
        new HourDeletion(
            hours,
            content.pages(),
            merger,
            content.missing(),
            retentionClock,
            log,
            spare,
            deadline);
    TypeRemoval removal = new TypeRemoval(hours, content.pages(), merger);
    TypeExpiry types = new TypeExpiry(policy, removal, content.pages(), content.missing());
    return new Deletions(
        new HourExpiry(types, deletion, content.pages(), merger, retentionClock),
        new BudgetKeeper(
            options.budget(),
            policy,
            use,
            hours,
            content.pages(),
            deletion,
            retentionClock,
            clock,
            steadyMillis,
            drops),
        new RequestedDrops(hours, content.pages().catalogue(), deletion, removal, spare),
        retentionClock);
  }
}
