package hourglass.bucketing.shards;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one writer for a type hour: pace, demand, claimed rows and the request under way, at
 * most one at a time. Thread-safe.
 */
final class TypeHourPlan {
  private final TypeHour typeHour;
  private final ShardWriter self;
  private final Pace pace;
  private final ClaimedRows rows;
  private Demand demand = Demand.NONE;
  private boolean asking;
  private boolean retired;
  private long usedMillis;

  /**
   * @param before the same type an hour earlier, if still in memory
   * @param mayStartUnclaimed whether this writer used no row of the type hour before
   */
  TypeHourPlan(
      TypeHour typeHour,
      ShardWriter self,
      @Nullable TypeHourPlan before,
      boolean mayStartUnclaimed) {
    this.typeHour = typeHour;
    this.self = self;
    CurrentTime now = self.now();
    this.usedMillis = now.elapsedMillis();
    this.pace =
        before == null
            ? new Pace(typeHour.hour(), self.options().target(), null, now)
            : before.paceOf(typeHour.hour(), now);
    this.rows = new ClaimedRows(typeHour, self, pace, mayStartUnclaimed);
  }

  private synchronized Pace paceOf(Hour next, CurrentTime now) {
    return new Pace(next, self.options().target(), pace, now);
  }

  /** As {@link ShardPlanner#record}. */
  synchronized long record(ColumnBatch batch) {
    CurrentTime now = self.now();
    pace.record(batch, now);
    usedMillis = now.elapsedMillis();
    return usedMillis;
  }

  /** As {@link ShardPlanner#recordFailure}. */
  synchronized void recordFailure(ColumnBatch batch, long recordedMillis) {
    pace.recordFailure(batch, recordedMillis, self.now());
  }

  /** As {@link ShardPlanner#assign}; -1 if this was retired meanwhile. */
  synchronized int assign(ColumnBatch batch, int from, List<Assignment> out) {
    if (retired) {
      return -1;
    }
    int at = rows.place(batch, from, demand, self.now(), out);
    pace.took(new Capacity(at - from, batch.bytes(from, at)));
    if (at < batch.columns()) {
      demand = demand.plus(batch, at);
    }
    return at;
  }

  /** The next claim, or null. */
  synchronized @Nullable ClaimRequest nextClaim() {
    CurrentTime now = self.now();
    if (asking || retired || !rows.needsClaim(demand, now)) {
      return null;
    }
    asking = true;
    return rows.request(demand, now);
  }

  /**
   * As {@link ShardPlanner#onAnswer}.
   *
   * @return whether the plan has ended
   */
  synchronized boolean onAnswer(ClaimRequest request, List<ShardClaim> all) {
    boolean awaited = demand.isAny();
    asking = false;
    demand = Demand.NONE; // waiting batches try again and renew their demand
    if (request.isLast()) {
      retired = !awaited && !rows.isSharing();
      return retired;
    }
    rows.onAnswer(request, all);
    return false;
  }

  /** As {@link ShardPlanner#onFailure}. */
  synchronized void onFailure(ClaimRequest request) {
    asking = false;
    demand = Demand.NONE; // waiting batches fail with it
    rows.onFailure(request);
  }

  /** As {@link ShardPlanner#release}. */
  synchronized void release(ColumnBatch batch, List<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      Capacity unused =
          new Capacity(
              assignment.to() - assignment.from(), batch.bytes(assignment.from(), assignment.to()));
      pace.released(unused);
      rows.release(assignment.shard(), unused);
    }
  }

  /** Whether the plan has ended and takes no more columns. */
  synchronized boolean isRetired() {
    return retired;
  }

  synchronized boolean isIdle(CurrentTime now, long idleMillis) {
    return !asking && !demand.isAny() && now.elapsedMillis() - usedMillis >= idleMillis;
  }

  /** Whether the type will need shard groups from the first event of the next hour. */
  synchronized boolean isBusyToTheEnd(CurrentTime now) {
    return pace.isBusyToTheEnd(now);
  }

  /**
   * Ends an idle plan without a request; its open rows stay claimed.
   *
   * @return whether it ended
   */
  synchronized boolean retireSilently(CurrentTime now, long idleMillis) {
    retired |= isIdle(now, idleMillis);
    return retired;
  }

  /**
   * Closes the rows of an idle plan.
   *
   * @return the claims to publish; null if there are none
   */
  synchronized @Nullable ClaimRequest retire(CurrentTime now, long idleMillis) {
    if (!isIdle(now, idleMillis)) {
      return null; // used again meanwhile
    }
    Map<Integer, ShardClaim> claims = rows.giveUp();
    retired = claims.isEmpty();
    asking = !retired;
    return retired ? null : ClaimRequest.last(typeHour, claims.values());
  }
}
