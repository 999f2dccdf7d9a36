package hourglass.bucketing.shards;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the columns of one writer to rows, so that rows stay narrow, writes stay spread and quiet
 * types have one row. Its driver carries each {@link ClaimRequest} to a directory that all writers
 * share, and returns the answer. Thread-safe.
 *
 * <pre>
 *   planner.record(typeHour, batch);
 *   int at = planner.assign(typeHour, batch, 0, assignments);   // as many as have a row
 *   ClaimRequest request = planner.nextClaim(typeHour);         // perhaps ahead of need
 *   if (request != null) {
 *     directory.upsert(request.claims());                       // one per (shard, writer)
 *     planner.onAnswer(request, directory.all(typeHour));       // read after the upsert
 *   }
 *   at = planner.assign(typeHour, batch, at, assignments);      // if at &lt; batch.columns()
 * </pre>
 *
 * <p>A writer uses a shared row only below its published bound, and only if the bounds of all
 * writers, read afterwards, add up to at most the target. The bound that was published last saw all
 * others. A tenth of the target is for writers that use a little of row 0 without a claim: 128
 * writers with 1/1280 each.
 *
 * <p>The bound does not hold if reads of the directory may miss earlier claims, as with consistency
 * ONE.
 */
public final class ShardPlanner {
  /** The time without columns after which a type hour is evicted. */
  static final long IDLE_MILLIS = 10 * 60_000;

  /** The same time while there are more than {@link #TYPE_HOURS_MAX}. */
  private static final long IDLE_MILLIS_CROWDED = 10_000;

  /**
   * The most type hours in memory, about 500 bytes each. Idle ones above this number are evicted
   * without a claim.
   */
  static final int TYPE_HOURS_MAX = 100_000;

  /** The time before an hour begins at which busy types claim its rows. */
  private static final long AHEAD_MILLIS = 20_000;

  final PlannerOptions options;
  final String writer;
  final ShardChooser chooser;
  private final LongSupplier clockMillis;
  private final LongSupplier nanoTime;
  private final LongAdder groupsBegun = new LongAdder();
  private final LongAdder rowsBegun = new LongAdder();
  private final Map<TypeHour, TypeHourPlan> plans = new ConcurrentHashMap<>();
  private final EvictedTypeHours evicted = new EvictedTypeHours();

  /**
   * Creates a planner.
   *
   * @param writer a name that was never used before, not even by an earlier start
   * @param clockMillis the time since 1970, which may differ from other writers'
   * @param nanoTime a monotonic clock for durations
   */
  public ShardPlanner(
      PlannerOptions options,
      String writer,
      Placement placement,
      LongSupplier clockMillis,
      LongSupplier nanoTime,
      RandomGenerator random) {
    if (writer.equals(ShardClaim.NO_WRITER)) {
      throw new IllegalArgumentException("writer: empty");
    }
    this.options = options;
    this.writer = writer;
    this.chooser = new ShardChooser(placement, random);
    this.clockMillis = clockMillis;
    this.nanoTime = nanoTime;
  }

  /** The columns {@code [from, to)} of a batch that are written to one row. */
  public record Assignment(int shard, int from, int to) {}

  /** A monotonic time for durations, and the time since 1970, which may step either way. */
  record CurrentTime(long elapsedMillis, long utcMillis) {}

  void begun(ShardGroup group) {
    groupsBegun.increment();
    rowsBegun.add(group.size());
  }

  CurrentTime now() {
    return new CurrentTime(
        TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()), clockMillis.getAsLong());
  }

  /**
   * Adds a batch to the pace, once and before {@link #assign}, and returns the time of the call.
   */
  public long record(TypeHour typeHour, ColumnBatch batch) {
    return plan(typeHour).record(batch);
  }

  /**
   * Removes a batch from the pace because its write failed, since repeats would make a type look
   * hot. If the columns were certainly not written, {@link #release} removes them from their rows.
   */
  public void recordFailure(TypeHour typeHour, ColumnBatch batch, long recordedMillis) {
    Optional.ofNullable(plans.get(typeHour))
        .ifPresent(plan -> plan.recordFailure(batch, recordedMillis));
  }

  /**
   * Assigns columns in order. Returns the first column without a row; for the rest, call again
   * after the next {@link #onAnswer}.
   */
  public int assign(TypeHour typeHour, ColumnBatch batch, int from, List<Assignment> out) {
    while (true) {
      int at = plan(typeHour).assign(batch, from, out);
      if (at >= 0) {
        return at;
      }
    }
  }

  /** Returns the next request; null if the type hour needs no claim or one is under way. */
  public @Nullable ClaimRequest nextClaim(TypeHour typeHour) {
    return plan(typeHour).nextClaim();
  }

  /**
   * Applies the claims of the type hour, read after the request was published. Waiting batches then
   * {@link #assign} again before {@link #nextClaim}, which covers them all.
   */
  public void onAnswer(ClaimRequest request, List<ShardClaim> all) {
    TypeHourPlan plan = plans.get(request.typeHour());
    if (plan != null && plan.onAnswer(request, all)) {
      plans.remove(request.typeHour(), plan);
    }
  }

  /** Ends a request that failed, whether or not its claims were published. */
  public void onFailure(ClaimRequest request) {
    Optional.ofNullable(plans.get(request.typeHour())).ifPresent(plan -> plan.onFailure(request));
  }

  public long groups() {
    return groupsBegun.sum();
  }

  public long rows() {
    return rowsBegun.sum();
  }

  public int typeHours() {
    return plans.size();
  }

  public void release(TypeHour typeHour, ColumnBatch batch, List<Assignment> assignments) {
    Optional.ofNullable(plans.get(typeHour)).ifPresent(plan -> plan.release(batch, assignments));
  }

  /**
   * Evicts idle type hours, and prepares the next hour of busy types. It is called every few
   * seconds. An eviction is a request that frees the rest of its rows, unless memory is at stake,
   * as when a year is filled in. At most {@code requestsMax} are returned, those for the next hour
   * first; the others follow at the next call.
   */
  public List<ClaimRequest> tick(int requestsMax) {
    List<ClaimRequest> requests = new ArrayList<>();
    CurrentTime now = now();
    int excess = plans.size() - TYPE_HOURS_MAX;
    long idleMillis = excess > 0 ? IDLE_MILLIS_CROWDED : IDLE_MILLIS;
    plans.forEach(
        (typeHour, plan) -> {
          if (requests.size() < requestsMax
              && isEnding(typeHour.hour(), now)
              && plan.isBusyToTheEnd(now)) {
            add(requests, nextClaim(new TypeHour(typeHour.hour().next(), typeHour.type())));
          }
        });
    for (Map.Entry<TypeHour, TypeHourPlan> each : plans.entrySet()) {
      if (!each.getValue().isIdle(now, idleMillis)) {
        continue;
      }
      if (requests.size() < requestsMax) {
        add(requests, evict(each.getKey(), each.getValue(), idleMillis, false));
      } else if (excess > 0) {
        // The claims stay published, and are read again before the type hour continues.
        evict(each.getKey(), each.getValue(), idleMillis, true);
        excess--;
      }
    }
    return requests;
  }

  private static void add(List<ClaimRequest> requests, @Nullable ClaimRequest request) {
    if (request != null) {
      requests.add(request);
    }
  }

  private static boolean isEnding(Hour hour, CurrentTime now) {
    long left = hour.end().toEpochMilli() - now.utcMillis();
    return left > 0 && left <= AHEAD_MILLIS && hour.compareTo(Hour.LAST) < 0;
  }

  private @Nullable ClaimRequest evict(
      TypeHour typeHour, TypeHourPlan plan, long idleMillis, boolean silently) {
    evicted.add(typeHour);
    ClaimRequest last = plan.retire(now(), idleMillis, silently);
    if (plan.isRetired()) {
      plans.remove(typeHour, plan);
    }
    return last;
  }

  private TypeHourPlan plan(TypeHour typeHour) {
    TypeHourPlan known = plans.get(typeHour);
    return known != null ? known : plans.computeIfAbsent(typeHour, this::begin);
  }

  private TypeHourPlan begin(TypeHour typeHour) {
    EventType.check(typeHour.type());
    Hour hour = typeHour.hour();
    TypeHourPlan before =
        hour.equals(Hour.FIRST) ? null : plans.get(new TypeHour(hour.previous(), typeHour.type()));
    return new TypeHourPlan(typeHour, this, before, !evicted.has(typeHour));
  }
}
