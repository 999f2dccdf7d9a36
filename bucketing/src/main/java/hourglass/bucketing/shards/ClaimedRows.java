package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rows of one writer in a type hour, and its claims for more: at first a part of a shared row,
 * and then shard groups of its own if the type is worth them. Not thread-safe.
 *
 * <pre>
 * shared row   0          |own part ..|others' parts ....|free      |
 * first group  17 40 52   |########..| |#######...| |########..|   filled side by side
 * next group   3 61 77    claimed ahead of need
 * </pre>
 */
final class ClaimedRows {
  /** Rows of one request. */
  private static final int ROWS_ASKED_MAX = 1024;

  private final TypeHour typeHour;
  private final ShardWriter self;
  private final Capacity target;
  private final Pace pace;
  private OtherWriters otherWriters = OtherWriters.NONE_KNOWN;
  private boolean answered;

  /** Whether the earlier claims of this writer in the type hour are known. */
  private boolean ownClaimsKnown;

  private final SharedRow shared;
  private final ShardGroups groups = new ShardGroups();

  /** Rows that load all nodes; 0: not computed yet. */
  private int covering;

  /** Requested, but other writers claimed some of its rows first. */
  private final IncompleteGroup incomplete = new IncompleteGroup();

  /** Released claims by shard, published with the next request. */
  private final Map<Integer, ShardClaim> withdrawn = new TreeMap<>();

  private final Set<Integer> numbersTried = new HashSet<>();

  /**
   * @param mayStartUnclaimed whether this writer used no row of the type hour before
   */
  ClaimedRows(TypeHour typeHour, ShardWriter self, Pace pace, boolean mayStartUnclaimed) {
    this.typeHour = typeHour;
    this.self = self;
    this.target = self.options().target();
    this.pace = pace;
    this.ownClaimsKnown = mayStartUnclaimed;
    this.shared = new SharedRow(target, mayStartUnclaimed);
  }

  /**
   * Assigns columns to rows, in order, as many as the rows have capacity for.
   *
   * @return the first column without a row
   */
  int place(ColumnBatch batch, int from, Demand demand, CurrentTime now, List<Assignment> out) {
    boolean busy = pace.isBusy(demand, now);
    int at = from;
    while (at < batch.columns()) {
      ShardGroup group = busy ? groups.current() : null;
      OpenRow row = shared.row().isOpen() ? shared.row() : groups.any();
      if (group != null) {
        at = group.distribute(batch, at, batch.columns(), pace.turn(group.size(), now), out);
      } else if (row != null) {
        at = take(row, batch, at, out);
      } else {
        break;
      }
    }
    return at;
  }

  private static int take(OpenRow row, ColumnBatch batch, int from, List<Assignment> out) {
    int to = row.take(batch, from, batch.columns());
    if (to > from) {
      out.add(new Assignment(row.shard(), from, to));
    }
    return to;
  }

  /** Whether rows should be claimed now. */
  boolean needsClaim(Demand demand, CurrentTime now) {
    if (demand.isAny() || !withdrawn.isEmpty()) {
      return true;
    }
    if (pace.isBusy(demand, now)) {
      return incomplete.missing() > 0
          || !pace.lead(groups.size(), now).fits(groups.left())
          || pace.isWorthMore(groups.size(), covering, now);
    }
    if (!answered) {
      return shared.shouldPublish();
    }
    return groups.any() == null && shared.isLow();
  }

  /** The claim to make if {@link #needsClaim}. */
  ClaimRequest request(Demand demand, CurrentTime now) {
    if (!ownClaimsKnown) {
      return ClaimRequest.read(typeHour);
    }
    return pace.isBusy(demand, now) ? claimGroups(demand, now) : claimShared(demand);
  }

  private ClaimRequest claimShared(Demand demand) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    Capacity bound = shared.bound(otherWriters, demand);
    if (bound == null) {
      if (answered) {
        put(claims, shared.row(), shared.row().used());
      }
      shared.next(otherWriters, demand, shard -> !numbersTried.contains(shard));
      bound = shared.bound(otherWriters, demand);
    }
    Capacity asked = bound == null ? target : bound;
    put(claims, shared.row(), asked);
    return new ClaimRequest(typeHour, claims.values(), shared.row(), asked, List.of());
  }

  private ClaimRequest claimGroups(Demand demand, CurrentTime now) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    closeShared(claims);
    List<List<OpenRow>> asked = new ArrayList<>();
    if (incomplete.missing() > 0) {
      asked.add(rows(incomplete.missing(), incomplete.won(), demand));
    } else {
      int size = groupSize(demand, now);
      for (int left = groupsWanted(size, demand, now); left > 0; left--) {
        asked.add(rows(size, List.of(), demand));
      }
    }
    for (List<OpenRow> group : asked) {
      group.forEach(row -> put(claims, row, row.bound()));
    }
    return new ClaimRequest(typeHour, claims.values(), null, Capacity.NONE, asked);
  }

  private int groupSize(Demand demand, CurrentTime now) {
    int spread = self.options().spread();
    covering = spread > 0 ? spread : self.numbers().covering(typeHour);
    return spread > 0 ? spread : pace.rows(covering, demand, now);
  }

  private int groupsWanted(int size, Demand demand, CurrentTime now) {
    Capacity need = pace.lead(groups.size(), now).plus(demand.capacity()).minus(groups.left());
    int wanted = (int) Math.min(ROWS_ASKED_MAX, Math.ceil(need.share(target) / size));
    return Math.max(1, Math.min(wanted, ROWS_ASKED_MAX / size));
  }

  private List<OpenRow> rows(int count, List<OpenRow> beside, Demand demand) {
    Capacity bound = target.max(new Capacity(0, demand.largestBytes()));
    List<OpenRow> rows = new ArrayList<>(count);
    for (int shard : self.numbers().choose(count, typeHour, beside, otherWriters, this::isFree)) {
      numbersTried.add(shard);
      rows.add(new OpenRow(shard, true, bound));
    }
    return rows;
  }

  /** Row 0 is always shared. */
  private boolean isFree(int shard) {
    return shard > 0
        && !shared.has(shard)
        && !numbersTried.contains(shard)
        && otherWriters.isFree(shard);
  }

  private void closeShared(Map<Integer, ShardClaim> claims) {
    if (answered && shared.row().isOpen()) {
      shared.row().close();
      put(claims, shared.row(), shared.row().used());
    }
  }

  private Map<Integer, ShardClaim> takeWithdrawn() {
    Map<Integer, ShardClaim> claims = new TreeMap<>(withdrawn);
    withdrawn.clear();
    return claims;
  }

  private void put(Map<Integer, ShardClaim> claims, OpenRow row, Capacity bound) {
    claims.put(row.shard(), row.claim(self.writer(), bound));
  }

  /** As {@link ShardPlanner#onAnswer}. */
  void onAnswer(ClaimRequest request, List<ShardClaim> all) {
    answered = true;
    otherWriters = new OtherWriters(self.writer(), all);
    if (otherWriters.haveGroups()) {
      pace.onOtherGroups();
    }
    if (!ownClaimsKnown) {
      ownClaimsKnown = true;
      shared.remember(otherWriters.own(0));
    }
    OpenRow row = request.shared();
    if (row != null) {
      onSharedAnswer(row, request.sharedBound());
    }
    boolean fillsUp = incomplete.missing() > 0;
    for (List<OpenRow> group : request.groups()) {
      onGroupAnswer(group, fillsUp);
    }
  }

  private void onSharedAnswer(OpenRow row, Capacity bound) {
    Capacity others = otherWriters.claimed(row.shard());
    if (!otherWriters.isSole(row.shard()) && others.plus(bound).fits(target)) {
      shared.raise(bound);
    } else {
      put(withdrawn, row, row.bound());
    }
  }

  /**
   * @param fillsUp whether these rows are for the incomplete group
   */
  private void onGroupAnswer(List<OpenRow> asked, boolean fillsUp) {
    List<OpenRow> won = new ArrayList<>();
    for (OpenRow row : asked) {
      if (otherWriters.claimed(row.shard()).columns() == 0) {
        won.add(row);
      } else {
        put(withdrawn, row, Capacity.NONE);
      }
    }
    int lost = asked.size() - won.size();
    if (fillsUp || lost > 0 && incomplete.missing() == 0) {
      ShardGroup whole = incomplete.add(won, lost);
      if (whole != null) {
        begin(whole);
      }
    } else if (!won.isEmpty()) {
      begin(new ShardGroup(won));
    }
  }

  private void begin(ShardGroup group) {
    groups.add(group);
    self.begun(group);
  }

  /** As {@link ShardPlanner#onFailure}. */
  void onFailure(ClaimRequest request) {
    // The state of the directory is unknown: published bounds may stand, and may be repeated.
    for (List<OpenRow> group : request.groups()) {
      for (OpenRow row : group) {
        put(withdrawn, row, Capacity.NONE);
        numbersTried.remove(row.shard());
      }
    }
  }

  void release(int shard, Capacity unused) {
    if (shard == shared.row().shard()) {
      shared.row().release(unused);
    }
    groups.release(shard, unused);
  }

  /** Whether the shared row takes columns without another claim. */
  boolean isSharing() {
    return shared.row().isOpen();
  }

  /** Closes all rows; returns the claims to publish for that. */
  Map<Integer, ShardClaim> giveUp() {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    closeShared(claims);
    groups.open().forEach(row -> put(claims, row, row.used()));
    groups.clear();
    incomplete.won().forEach(row -> put(claims, row, Capacity.NONE));
    incomplete.clear();
    return claims;
  }
}
