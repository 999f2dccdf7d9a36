package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardPlanner.Assignment;
import hourglass.bucketing.shards.ShardPlanner.CurrentTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one writer for a type hour: its pace, rows and at most one request under way. It uses
 * a part of a shared row, and later shard groups if the type is worth them. Thread-safe.
 *
 * <pre>
 * shared row   0          |own part ..|others' parts ....|free      |
 * first group  17 40 52   |########..| |#######...| |########..|   filled side by side
 * next group   3 61 77    claimed ahead of need
 * </pre>
 */
final class TypeHourPlan {
  private static final int ROWS_ASKED_MAX = 1024;

  private final TypeHour typeHour;
  private final ShardPlanner planner;
  private final Pace pace;
  private final SharedRow shared;
  private final ShardGroups groups = new ShardGroups();
  private final TriedShards tried = new TriedShards();
  private State state = State.OPEN;
  private long usedMillis;
  private OtherWriters otherWriters = OtherWriters.NONE_KNOWN;

  /** Whether the earlier claims of this writer in the type hour are known. */
  private boolean ownClaimsKnown;

  /** The number of rows that load all nodes; 0 if it is not computed yet. */
  private int covering;

  private enum State {
    OPEN,
    /** A request is under way. */
    ASKING,
    RETIRED
  }

  /** Begins a plan. A writer may start unclaimed if it used no row of the type hour before. */
  TypeHourPlan(
      TypeHour typeHour,
      ShardPlanner planner,
      @Nullable TypeHourPlan before,
      boolean mayStartUnclaimed) {
    this.typeHour = typeHour;
    this.planner = planner;
    Capacity target = planner.options.target();
    CurrentTime now = planner.now();
    usedMillis = now.elapsedMillis();
    pace = before == null ? new Pace(typeHour.hour(), target, null, now) : before.nextPace(now);
    ownClaimsKnown = mayStartUnclaimed;
    shared = new SharedRow(target, mayStartUnclaimed);
  }

  private synchronized Pace nextPace(CurrentTime now) {
    return new Pace(typeHour.hour().next(), planner.options.target(), pace, now);
  }

  synchronized long record(ColumnBatch batch) {
    CurrentTime now = planner.now();
    pace.record(batch, now);
    usedMillis = now.elapsedMillis();
    return usedMillis;
  }

  synchronized void recordFailure(ColumnBatch batch, long recordedMillis) {
    pace.recordFailure(batch, recordedMillis, planner.now());
  }

  /** Returns the first column without a row, or -1 if this plan has been retired. */
  synchronized int assign(ColumnBatch batch, int from, List<Assignment> out) {
    if (state == State.RETIRED) {
      return -1;
    }
    CurrentTime now = planner.now();
    boolean busy = pace.isBusy(now);
    int at = from;
    while (at < batch.columns()) {
      ShardGroup group = busy ? groups.current() : null;
      OpenRow row = shared.row().isOpen() ? shared.row() : groups.any();
      if (group != null) {
        at = group.distribute(batch, at, batch.columns(), pace.turn(group.size(), now), out);
      } else if (row != null) {
        int to = row.take(batch, at, batch.columns());
        if (to > at) {
          out.add(new Assignment(row.shard(), at, to));
        }
        at = to;
      } else {
        break;
      }
    }
    pace.took(new Capacity(at - from, batch.bytes(from, at)));
    if (at < batch.columns()) {
      pace.await(batch, at);
    }
    return at;
  }

  synchronized @Nullable ClaimRequest nextClaim() {
    CurrentTime now = planner.now();
    if (state != State.OPEN || !needsClaim(now)) {
      return null;
    }
    state = State.ASKING;
    if (!ownClaimsKnown) { // publishes nothing, and reads
      return new ClaimRequest(typeHour, List.of(), null, Capacity.NONE, List.of(), false);
    }
    return pace.isBusy(now) ? claimGroups(now) : claimShared();
  }

  private boolean needsClaim(CurrentTime now) {
    if (pace.isAwaited() || tried.hasWithdrawn()) {
      return true;
    }
    if (pace.isBusy(now)) {
      return groups.missing() > 0
          || !pace.lead(groups.size(), now).fits(groups.left())
          || pace.isWorthMore(groups.size(), covering, now);
    }
    return otherWriters.areKnown()
        ? groups.any() == null && shared.isLow()
        : shared.shouldPublish();
  }

  private ClaimRequest claimShared() {
    Map<Integer, ShardClaim> claims = tried.takeWithdrawn();
    Capacity bound = shared.bound(otherWriters, pace);
    if (bound == null) {
      if (otherWriters.areKnown()) {
        put(claims, shared.row(), shared.row().used());
      }
      shared.next(otherWriters, pace, shard -> !tried.contains(shard));
      bound = shared.bound(otherWriters, pace);
    }
    Capacity asked = bound == null ? planner.options.target() : bound;
    put(claims, shared.row(), asked);
    return new ClaimRequest(
        typeHour, List.copyOf(claims.values()), shared.row(), asked, List.of(), false);
  }

  private ClaimRequest claimGroups(CurrentTime now) {
    Map<Integer, ShardClaim> claims = tried.takeWithdrawn();
    closeShared(claims);
    List<List<OpenRow>> asked = new ArrayList<>();
    if (groups.missing() > 0) {
      asked.add(rows(groups.missing(), groups.won()));
    } else {
      int size = groupSize(now);
      for (int left = groupsWanted(size, now); left > 0; left--) {
        asked.add(rows(size, List.of()));
      }
    }
    for (List<OpenRow> group : asked) {
      group.forEach(row -> put(claims, row, row.bound()));
    }
    return new ClaimRequest(
        typeHour, List.copyOf(claims.values()), null, Capacity.NONE, asked, false);
  }

  private int groupSize(CurrentTime now) {
    int spread = planner.options.spread();
    covering = spread > 0 ? spread : planner.chooser.covering(typeHour, now.elapsedMillis());
    return spread > 0 ? spread : pace.rows(covering, now);
  }

  private int groupsWanted(int size, CurrentTime now) {
    Capacity need = pace.lead(groups.size(), now).plus(pace.waiting()).minus(groups.left());
    int wanted =
        (int) Math.min(ROWS_ASKED_MAX, Math.ceil(need.share(planner.options.target()) / size));
    return Math.max(1, Math.min(wanted, ROWS_ASKED_MAX / size));
  }

  private List<OpenRow> rows(int count, List<OpenRow> beside) {
    Capacity bound = planner.options.target().max(new Capacity(0, pace.largestBytes()));
    List<OpenRow> rows = new ArrayList<>(count);
    for (int shard : planner.chooser.choose(count, typeHour, beside, otherWriters, this::isFree)) {
      tried.add(shard);
      rows.add(new OpenRow(shard, true, bound));
    }
    return rows;
  }

  /** Returns whether a group may claim the shard. Row 0 is always shared. */
  private boolean isFree(int shard) {
    return shard > 0 && !shared.has(shard) && !tried.contains(shard) && otherWriters.isFree(shard);
  }

  private void closeShared(Map<Integer, ShardClaim> claims) {
    if (otherWriters.areKnown() && shared.row().isOpen()) {
      shared.row().close();
      put(claims, shared.row(), shared.row().used());
    }
  }

  private void withdraw(OpenRow row, Capacity bound) {
    tried.withdraw(row.claim(planner.writer, bound));
  }

  private void put(Map<Integer, ShardClaim> claims, OpenRow row, Capacity bound) {
    claims.put(row.shard(), row.claim(planner.writer, bound));
  }

  /** Applies the claims of all writers, and returns whether the plan has ended. */
  synchronized boolean onAnswer(ClaimRequest request, List<ShardClaim> all) {
    boolean awaited = pace.isAwaited();
    state = State.OPEN;
    pace.forgetWaiting(); // waiting batches try again and renew their demand
    if (request.last()) {
      boolean isOver = !awaited && !shared.row().isOpen();
      state = isOver ? State.RETIRED : State.OPEN;
      return isOver;
    }
    otherWriters = new OtherWriters(planner.writer, all);
    if (otherWriters.haveGroups()) {
      pace.onOtherGroups();
    }
    if (!ownClaimsKnown) {
      ownClaimsKnown = true;
      shared.remember(otherWriters.own(0));
    }
    OpenRow asked = request.shared();
    if (asked != null) {
      onSharedAnswer(asked, request.sharedBound());
    }
    boolean fillsUp = groups.missing() > 0;
    for (List<OpenRow> group : request.groups()) {
      onGroupAnswer(group, fillsUp);
    }
    return false;
  }

  private void onSharedAnswer(OpenRow row, Capacity bound) {
    Capacity others = otherWriters.claimed(row.shard());
    if (!otherWriters.isSole(row.shard()) && others.plus(bound).fits(planner.options.target())) {
      shared.raise(bound);
    } else {
      withdraw(row, row.bound());
    }
  }

  private void onGroupAnswer(List<OpenRow> asked, boolean fillsUp) {
    List<OpenRow> won = new ArrayList<>();
    for (OpenRow row : asked) {
      if (otherWriters.claimed(row.shard()).columns() == 0) {
        won.add(row);
      } else {
        withdraw(row, Capacity.NONE);
      }
    }
    ShardGroup begun = groups.add(won, asked.size() - won.size(), fillsUp);
    if (begun != null) {
      planner.begun(begun);
    }
  }

  synchronized void onFailure(ClaimRequest request) {
    state = State.OPEN;
    pace.forgetWaiting(); // waiting batches fail with it
    // The state of the directory is unknown: published bounds may stay, and may be published again.
    for (List<OpenRow> group : request.groups()) {
      group.forEach(row -> withdraw(row, Capacity.NONE));
      tried.forget(group);
    }
  }

  synchronized void release(ColumnBatch batch, List<Assignment> assignments) {
    for (Assignment each : assignments) {
      Capacity unused = new Capacity(each.to() - each.from(), batch.bytes(each.from(), each.to()));
      pace.released(unused);
      if (each.shard() == shared.row().shard()) {
        shared.row().release(unused);
      }
      groups.release(each.shard(), unused);
    }
  }

  synchronized boolean isRetired() {
    return state == State.RETIRED;
  }

  synchronized boolean isIdle(CurrentTime now, long idleMillis) {
    return state != State.ASKING
        && !pace.isAwaited()
        && now.elapsedMillis() - usedMillis >= idleMillis;
  }

  synchronized boolean isBusyToTheEnd(CurrentTime now) {
    return pace.isBusyToTheEnd(now);
  }

  /**
   * Ends an idle plan, and returns the claims to publish, or null.
   *
   * @param silently whether to end without a request; open rows then stay claimed
   */
  synchronized @Nullable ClaimRequest retire(CurrentTime now, long idleMillis, boolean silently) {
    if (!isIdle(now, idleMillis)) {
      return null; // used again meanwhile
    }
    if (silently) {
      state = State.RETIRED;
      return null;
    }
    Map<Integer, ShardClaim> claims = tried.takeWithdrawn();
    closeShared(claims);
    groups.open().forEach(row -> put(claims, row, row.used()));
    groups.won().forEach(row -> put(claims, row, Capacity.NONE));
    groups.clear();
    state = claims.isEmpty() ? State.RETIRED : State.ASKING;
    return state == State.RETIRED
        ? null
        : new ClaimRequest(
            typeHour, List.copyOf(claims.values()), null, Capacity.NONE, List.of(), true);
  }
}
