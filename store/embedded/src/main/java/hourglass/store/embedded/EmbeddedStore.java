package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.BudgetDrop;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FieldFilter;
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
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.maintenance.DiskUse;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasureJournal;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The embedded engine: one process, one directory. An acknowledged column survives kill -9 and
 * power loss. Thread-safe.
 */
public final class EmbeddedStore implements ErasableStore {
  private final DirectoryLock lock;
  private final StoreContent content;
  private final DiskUse use;
  private final Writes writes;
  private final Maintenance maintenance;
  private final Readers readers;
  private final RowsOnThreads reads;
  private final InMemoryClaims claims;
  private final Backups backups;
  private final Erasures erasures;
  private volatile boolean closed;

  EmbeddedStore(
      DirectoryLock lock,
      StoreContent content,
      DiskUse use,
      Writes writes,
      Maintenance maintenance,
      Readers readers,
      RowsOnThreads reads,
      InMemoryClaims claims,
      Backups backups,
      Erasures erasures) {
    this.lock = lock;
    this.content = content;
    this.use = use;
    this.writes = writes;
    this.maintenance = maintenance;
    this.readers = readers;
    this.reads = reads;
    this.claims = claims;
    this.backups = backups;
    this.erasures = erasures;
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
    return read(() -> content.lateArrivals().after(after, namesMax));
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
  public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> some, FieldFilter filter) {
    return reads.mayMatch(some, filter);
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
  public CompletionStage<Void> drop(TypeHour typeHour) {
    return maintenance.drop(typeHour).thenRun(() -> claims.forget(typeHour));
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return ifOpen(
        () ->
            CompletableFuture.completedFuture(
                content.pages().catalogue().dropped().within(from, to)));
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
    return content.settleClock().clockBehind();
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

  /** Returns the backups of this store. */
  public Backups backups() {
    return backups;
  }

  @Override
  public ErasureJournal erasures() {
    return erasures;
  }

  DiskUse use() {
    return use;
  }

  @Override
  public List<String> missing(Hour from, Hour to, Predicate<String> types) {
    List<LostPage> lost =
        content.pages().catalogue().lost(from, to).stream()
            .filter(page -> types.test(page.row().type()))
            .toList();
    return content.missing().of(from, to, lost);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    QuietClose.all(
        List.of(
            backups, // first, since it waits for flushes
            readers,
            erasures.lookups(),
            claims,
            content.settleClock()::close,
            maintenance,
            content.lateArrivals(),
            content.hours(),
            content.pages(),
            lock));
  }
}
