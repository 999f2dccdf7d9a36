package hourglass.store.cassandra.erasure;

import hourglass.bucketing.TimeUuid;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.SingleFlight;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.RememberedColumns;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The erasures as this process sees them. What it saw is valid for a lease, which counts from the
 * request by both clocks, since a monotonic one stands still while its machine is suspended; after
 * that it looks again. So a change is known to every process when the {@link #leaseNanos lease} has
 * passed since. A look reads one row, unless the version of the table differs; names and hashes are
 * read once for each erasure. Thread-safe.
 *
 * <pre>
 * process A   |change|---- lease ----|every process acts by the change
 * process B   look|--- lease ---|look|--- lease ---|
 * </pre>
 */
public final class SeenErasures {
  /** The longest lease: an erasure begins a little later than that. */
  private static final Duration LEASE_MAX = Duration.ofSeconds(1);

  /** The least pause of this process in which an erasure may begin, end and be forgotten. */
  private static final Duration MISSED_AFTER = Duration.ofSeconds(5);

  /** Erasures are forgotten by a TTL, which changes no version. */
  private static final Duration LIST_EVERY = Duration.ofMinutes(1);

  private final Supplier<ErasureTables> tables;
  private final Consumer<Erasure> onHidden;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final SingleFlight<Boolean, Seen> looks = new SingleFlight<>(all -> read());

  // Used by one look at a time.
  private final Map<TimeUuid, Unfinished> unfinished = new ConcurrentHashMap<>();
  private final Map<TimeUuid, RememberedColumns> remembered = new ConcurrentHashMap<>();
  private final Map<TimeUuid, Integer> rounds = new ConcurrentHashMap<>();

  private volatile @Nullable Seen last;

  /**
   * Creates a view that has seen nothing yet.
   *
   * @param trustFor bounds the lease
   * @param nanoTime must be monotonic
   * @param onHidden is called for each erasure that is not done, before its columns are hidden, and
   *     again for each round of deletions
   */
  public SeenErasures(
      Supplier<ErasureTables> tables,
      Duration trustFor,
      Clock clock,
      LongSupplier nanoTime,
      Consumer<Erasure> onHidden) {
    this.tables = tables;
    this.onHidden = onHidden;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.leaseNanos = (trustFor.compareTo(LEASE_MAX) < 0 ? trustFor : LEASE_MAX).toNanos();
  }

  /**
   * An erasure that is not done.
   *
   * @param seenNanos when this process first saw it
   */
  public record Unfinished(ErasureRecord stored, Erasure erasure, long seenNanos) {}

  /**
   * The erasures at a moment.
   *
   * @param sinceNanos when they were asked for, by the monotonic clock
   * @param sinceMillis the same by the other clock
   * @param listedNanos when all were last read
   * @param all the newest first
   * @param unfinished the oldest first
   * @param deletions differs after every round of deletions that began
   */
  public record Seen(
      long sinceNanos,
      long sinceMillis,
      long listedNanos,
      @Nullable Object version,
      List<ErasureRecord> all,
      List<Unfinished> unfinished,
      ErasedColumns columns,
      long deletions) {
    private Seen at(long nanos, long millis) {
      return new Seen(nanos, millis, listedNanos, version, all, unfinished, columns, deletions);
    }
  }

  public long leaseNanos() {
    return leaseNanos;
  }

  /** Returns what was seen during the last lease, perhaps after a look. */
  public CompletionStage<Seen> current() {
    Seen known = last;
    return known != null && isWithin(leaseNanos, known)
        ? CompletableFuture.completedFuture(known)
        : look();
  }

  private boolean isWithin(long nanos, Seen known) {
    return nanoTime.getAsLong() - known.sinceNanos() < nanos
        && Math.abs(clock.millis() - known.sinceMillis()) <= nanos / 1_000_000;
  }

  /** Looks now. Concurrent looks share one that begins after they were asked for. */
  public CompletionStage<Seen> look() {
    return looks.ask(true);
  }

  private CompletionStage<Seen> read() {
    long sinceNanos = nanoTime.getAsLong(); // before the request, to never understate the age
    long sinceMillis = clock.millis();
    ErasureTables now = tables.get();
    return now.erasures()
        .head()
        .thenCompose(
            head -> {
              Seen known = last;
              return known != null
                      && Objects.equals(head.version(), known.version())
                      && sinceNanos - known.listedNanos() < LIST_EVERY.toNanos()
                  ? CompletableFuture.completedFuture(known)
                  : list(now, head.version())
                      // The names of one that was done meanwhile are deleted.
                      .exceptionallyCompose(again -> list(now, head.version()));
            })
        .thenApply(
            found -> {
              Seen seen = found.at(sinceNanos, sinceMillis);
              last = seen;
              return seen;
            });
  }

  private CompletionStage<Seen> list(ErasureTables now, @Nullable Object version) {
    long listedNanos = nanoTime.getAsLong();
    return now.erasures()
        .all()
        .thenCompose(
            all ->
                Futures.allOf(all.stream().map(stored -> load(now, stored)))
                    .thenApply(done -> seen(all, listedNanos, version)));
  }

  /** Reads the names or the hashes of an erasure, if they are not in memory. */
  private CompletionStage<?> load(ErasureTables now, ErasureRecord stored) {
    TimeUuid id = stored.id();
    Unfinished known = unfinished.get(id);
    if (stored.isDone()) {
      return remembered.containsKey(id)
          ? CompletableFuture.completedFuture(null)
          : now.hashes().read(id).thenAccept(hashes -> remembered.put(id, hashes));
    }
    if (known != null) {
      unfinished.put(id, new Unfinished(stored, known.erasure(), known.seenNanos()));
      return CompletableFuture.completedFuture(null);
    }
    return now.names()
        .read(stored)
        .thenAccept(
            erasure -> {
              onHidden.accept(erasure);
              remembered.put(id, RememberedColumns.of(erasure));
              unfinished.put(id, new Unfinished(stored, erasure, nanoTime.getAsLong()));
            });
  }

  private ErasedColumns columns(
      @Nullable Seen known,
      List<ErasureRecord> all,
      List<Unfinished> oldestFirst,
      @Nullable Object version) {
    boolean mayHaveBegun = known == null || mayHaveBegun(known, all, version);
    if (known != null && !mayHaveBegun && doneById(known.all()).equals(doneById(all))) {
      return known.columns();
    }
    ErasedColumns columns =
        ErasedColumns.of(
            oldestFirst.stream().map(Unfinished::erasure).toList(), remembered.values());
    return known == null || mayHaveBegun ? columns : columns.withMarkOf(known.columns());
  }

  /** Whether an erasure may have begun since: it may be done by now, or even be forgotten. */
  private boolean mayHaveBegun(Seen known, List<ErasureRecord> all, @Nullable Object version) {
    return !doneById(known.all()).keySet().containsAll(doneById(all).keySet())
        || (!isWithin(MISSED_AFTER.toNanos(), known) && !Objects.equals(version, known.version()));
  }

  /** Returns what the erased columns depend on. */
  private static Map<TimeUuid, Boolean> doneById(List<ErasureRecord> all) {
    return all.stream().collect(Collectors.toMap(ErasureRecord::id, ErasureRecord::isDone));
  }

  private Seen seen(List<ErasureRecord> all, long listedNanos, @Nullable Object version) {
    Set<TimeUuid> ids = all.stream().map(ErasureRecord::id).collect(Collectors.toSet());
    Stream.of(remembered, rounds).forEach(each -> each.keySet().retainAll(ids));
    unfinished
        .keySet()
        .retainAll(
            all.stream()
                .filter(stored -> !stored.isDone())
                .map(ErasureRecord::id)
                .collect(Collectors.toSet()));
    Seen known = last;
    boolean isDeleting = false;
    for (ErasureRecord stored : all) {
      Integer before = rounds.put(stored.id(), stored.round());
      boolean isNewRound = stored.round() > (before == null ? 0 : before);
      isDeleting |= isNewRound;
      Unfinished each = unfinished.get(stored.id());
      if (isNewRound && each != null) {
        onHidden.accept(each.erasure());
      }
    }
    long deletions = (known == null ? 0 : known.deletions()) + (isDeleting ? 1 : 0);
    List<Unfinished> oldestFirst = new ArrayList<>(unfinished.values());
    oldestFirst.sort(Comparator.comparing(each -> each.erasure().id()));
    ErasedColumns columns = columns(known, all, oldestFirst, version);
    return new Seen(0, 0, listedNanos, version, all, List.copyOf(oldestFirst), columns, deletions);
  }
}
