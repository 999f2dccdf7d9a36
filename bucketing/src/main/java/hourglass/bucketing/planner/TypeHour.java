package hourglass.bucketing.planner;

import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one writer has for an hour of a type: at first a part of a row that all writers
 * share, and rounds of its own once it is worth them. Thread-safe.
 *
 * <pre>
 * shared row   0          |own part ..|others' parts ....|free      |
 * first round  17 40 52   |########..| |#######...| |########..|   filled side by side
 * next round   3 61 77    claimed ahead of need
 * </pre>
 */
final class TypeHour {
  /** Taken of the row 0 without a word, by as many writers as make a tenth of a row together. */
  private static final double UNTOLD_SHARE = 0.1 / 128;

  /** A writer that had less than this share of a row gets none of its own. */
  private static final double BUSY_SHARE = 1.0 / 8;

  /** Nor one that will not come to this share of a row within its horizon. */
  private static final double BUSY_AHEAD_SHARE = 0.5;

  /** Of an hour that is over, nobody knows how long its events will come; at least so long. */
  private static final long HORIZON_MILLIS_MIN = 60_000;

  /** Claims are made so far ahead of need. */
  private static final double LEAD_SECONDS = 5;

  /**
   * In each second a row gets at least so many stretches, so that none has far more than others.
   */
  private static final int STRETCHES_PER_SECOND = 8;

  /** Shorter stretches cost a store more than they even out. */
  private static final int STRETCH_COLUMNS_MIN = 32;

  /** Rows asked for at once. */
  private static final int ROWS_ASKED_MAX = 1024;

  /** A round that lost rows to others is filled up so often. */
  private static final int ATTEMPTS_MAX = 5;

  private final Hour hour;
  private final String type;
  private final Claimant self;
  private final Room target;
  private final Room untold;
  private final Rate rate;
  private final boolean busyBefore;

  private Room own = Room.NONE;
  private Room missing = Room.NONE;
  private long nextBytes;
  private Neighbours neighbours = Neighbours.NONE_KNOWN;
  private boolean answered;

  /** Whether this has what the writer itself told of the hour and type before. */
  private boolean knowsItself;

  private boolean asking;
  private boolean retired;
  private long usedMillis;

  private OpenRow shared;
  private final Set<Integer> leftShared = new HashSet<>();
  private final Rounds rounds = new Rounds();

  /** Rows that load all nodes; 0: not asked yet. */
  private int covering;

  private final List<OpenRow> incomplete = new ArrayList<>();
  private int incompleteLacks;
  private int attempts;

  /** By their numbers: claims that go back, told with the next request. */
  private final Map<Integer, ShardClaim> withdrawn = new TreeMap<>();

  private final Set<Integer> numbersTried = new HashSet<>();

  /**
   * @param before the same type an hour earlier, if it is remembered
   * @param mayStartUntold whether this writer had no part in the hour before
   */
  TypeHour(
      Hour hour, String type, Claimant self, @Nullable TypeHour before, boolean mayStartUntold) {
    this.hour = hour;
    this.type = type;
    this.self = self;
    this.target = self.options().target();
    this.untold = mayStartUntold ? target.times(UNTOLD_SHARE) : Room.NONE;
    this.knowsItself = mayStartUntold;
    long now = self.nowMillis();
    this.usedMillis = now;
    this.rate = before == null ? new Rate(now) : before.rateFrom(now);
    this.busyBefore = before != null && before.isBusyToTheEnd(now);
    this.shared = new OpenRow(0, false, untold);
  }

  Hour hour() {
    return hour;
  }

  private synchronized Rate rateFrom(long nowMillis) {
    return new Rate(rate, nowMillis);
  }

  /** As {@link ShardPlanner#assign}; -1 if this was retired meanwhile. */
  synchronized int assign(Load load, int from, List<Stretch> out) {
    if (retired) {
      return -1;
    }
    int end = load.columns();
    long now = self.nowMillis();
    if (from == 0) {
      rate.add(end, load.bytes(0, end), now);
      usedMillis = now;
    }
    boolean busy = isBusy(now);
    int stretch = stretch(end - from, now);
    int at = from;
    for (OpenRow row = row(busy); at < end && row != null; row = row(busy)) {
      int next = row.take(load, at, Math.min(end, at + (busy ? stretch : end - at)));
      if (next > at) {
        out.add(new Stretch(row.shard(), at, next));
        at = next;
      }
    }
    own = own.plus(new Room(at - from, load.bytes(from, at)));
    if (at < end) {
      missing = missing.plus(new Room(end - at, load.bytes(at, end)));
      nextBytes = Math.max(nextBytes, load.bytes(at, at + 1));
    }
    return at;
  }

  /** The row to take next columns; null if none is open. */
  private @Nullable OpenRow row(boolean busy) {
    OpenRow side = busy ? rounds.emptiest() : null;
    if (side != null) {
      return side;
    }
    return shared.isOpen() ? shared : rounds.any();
  }

  /** How many columns of a batch go into one row. */
  private int stretch(int columns, long now) {
    int rows = rounds.size();
    if (rows <= 1) {
      return columns;
    }
    long perSecond = rate.in(1, now).columns() / ((long) rows * STRETCHES_PER_SECOND);
    int atLeast = (int) Math.max(STRETCH_COLUMNS_MIN, Math.min(columns, perSecond));
    return Math.max(atLeast, (columns + rows - 1) / rows);
  }

  private boolean isBusy(long now) {
    return (busyBefore || own.share(target) >= BUSY_SHARE)
            && ahead(now).share(target) >= BUSY_AHEAD_SHARE
        || missing.share(target) >= BUSY_AHEAD_SHARE
        || nextBytes > target.bytes() * BUSY_SHARE;
  }

  /** What will come until the hour is over, if it goes on like that. */
  private Room ahead(long now) {
    long millis = hour.end().toEpochMilli() - now;
    long horizon = Math.max(HORIZON_MILLIS_MIN, Math.min(millis, 3_600_000));
    return rate.in(horizon / 1000.0, now);
  }

  /** What should be claimed now, or null. */
  synchronized @Nullable ClaimRequest wanted() {
    long now = self.nowMillis();
    if (asking || retired || !isShort(now)) {
      return null;
    }
    ClaimRequest request =
        knowsItself
            ? isBusy(now) ? askForRounds(now) : askForShare()
            : ClaimRequest.look(hour, type);
    if (knowsItself) {
      missing = Room.NONE;
      nextBytes = 0;
    }
    asking = true;
    return request;
  }

  private boolean isShort(long now) {
    if (missing.columns() > 0 || !withdrawn.isEmpty() || incompleteLacks > 0) {
      return true;
    }
    if (isBusy(now)) {
      return !lead(now).fits(rounds.left()) || isTooSmall(now);
    }
    if (!answered) {
      return !shared.used().times(2).fits(untold);
    }
    return rounds.any() == null && !shared.bound().times(0.25).fits(shared.left());
  }

  /** Whether the type got so much busier that the round at hand leaves too many nodes out. */
  private boolean isTooSmall(long now) {
    int size = rounds.size();
    return worth(now) >= 2 * size && size < covering;
  }

  /** What rounds must have left: some seconds' worth, and a quarter of a round. */
  private Room lead(long now) {
    Room quarter = rounds.isEmpty() ? target : target.times(0.25 * rounds.size());
    return quarter.max(rate.in(LEAD_SECONDS, now));
  }

  // A part of a row that is shared.

  private ClaimRequest askForShare() {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    Room wanted = shareWanted(shared);
    if (wanted == null) {
      if (answered) {
        put(claims, shared, shared.used());
      }
      leftShared.add(shared.shard());
      shared = nextShared();
      wanted = shareWanted(shared);
    }
    Room bound = wanted == null ? target : wanted;
    put(claims, shared, bound);
    return new ClaimRequest(hour, type, claims.values(), shared, bound, List.of());
  }

  /** The bound that a part of a row should get; null if the row has too little left for that. */
  private @Nullable Room shareWanted(OpenRow row) {
    Room others = neighbours.claimed(row.shard());
    Room free = target.minus(others).minus(row.used());
    int writers = neighbours.writers(row.shard());
    boolean scarce = free.share(target) < 0.5;
    Room growth = row.used().times(scarce ? 1 : 3).max(missing).max(floor());
    if (writers > 0) {
      growth = growth.min(free.times(0.5 / writers).max(shareLeast()));
    }
    // Never less than what it has already, or a part would be used that nobody is told of.
    Room bound = row.used().plus(growth.min(free)).max(row.bound());
    boolean fits = shareMin(row).fits(bound) && others.plus(bound).fits(target);
    return fits && !neighbours.isSole(row.shard()) ? bound : null;
  }

  private Room shareMin(OpenRow row) {
    return row.used().plus(shareLeast());
  }

  /** A part that is smaller is not worth a claim. */
  private Room shareLeast() {
    return target.times(0.001).max(new Room(1, nextBytes));
  }

  private Room floor() {
    return target.times(0.0025).max(shareLeast());
  }

  /** The first row with room that others share already, or else a new one. */
  private OpenRow nextShared() {
    for (int shard : neighbours.shared()) {
      OpenRow row = new OpenRow(shard, false, Room.NONE);
      if (!leftShared.contains(shard)
          && !neighbours.isOwn(shard)
          && isUnused(shard)
          && shareWanted(row) != null) {
        return row;
      }
    }
    int shard = 0;
    while (!isFree(shard)) {
      shard++;
    }
    return new OpenRow(shard, false, Room.NONE);
  }

  // Rows of its own.

  private ClaimRequest askForRounds(long now) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    if (answered && shared.isOpen()) {
      shared.close();
      put(claims, shared, shared.used());
    }
    List<List<OpenRow>> asked = new ArrayList<>();
    if (incompleteLacks > 0) {
      asked.add(rows(incompleteLacks, incomplete));
    } else {
      int size = roundSize(now);
      for (int left = roundsWanted(size, now); left > 0; left--) {
        asked.add(rows(size, List.of()));
      }
    }
    for (List<OpenRow> round : asked) {
      round.forEach(row -> put(claims, row, row.bound()));
    }
    return new ClaimRequest(hour, type, claims.values(), null, Room.NONE, asked);
  }

  private int roundSize(long now) {
    int spread = self.options().spread();
    covering = spread > 0 ? spread : self.numbers().covering(hour, type);
    return spread > 0 ? spread : Math.max(1, Math.min(covering, worth(now)));
  }

  /** How many rows will be filled until the hour is over, if it goes on like that. */
  private int worth(long now) {
    return (int) Math.min(PlannerOptions.SPREAD_MAX, Math.ceil(ahead(now).share(target)));
  }

  private int roundsWanted(int size, long now) {
    Room need = lead(now).plus(missing).minus(rounds.left());
    int wanted = (int) Math.min(ROWS_ASKED_MAX, Math.ceil(need.share(target) / size));
    return Math.max(1, Math.min(wanted, ROWS_ASKED_MAX / size));
  }

  private List<OpenRow> rows(int count, List<OpenRow> beside) {
    Room bound = target.max(new Room(0, nextBytes));
    List<OpenRow> rows = new ArrayList<>(count);
    for (int shard : self.numbers().choose(count, hour, type, beside, neighbours, this::isFree)) {
      numbersTried.add(shard);
      rows.add(new OpenRow(shard, true, bound));
    }
    return rows;
  }

  /** Row 0 is for sharing. */
  private boolean isFree(int shard) {
    return shard > 0 && isUnused(shard) && neighbours.isFree(shard);
  }

  private boolean isUnused(int shard) {
    return shard != shared.shard() && !numbersTried.contains(shard);
  }

  private Map<Integer, ShardClaim> takeWithdrawn() {
    Map<Integer, ShardClaim> claims = new TreeMap<>(withdrawn);
    withdrawn.clear();
    return claims;
  }

  private void put(Map<Integer, ShardClaim> claims, OpenRow row, Room bound) {
    claims.put(row.shard(), row.claim(self.writer(), bound));
  }

  /**
   * As {@link ShardPlanner#answered}.
   *
   * @return whether this is at its end
   */
  synchronized boolean answered(ClaimRequest request, List<ShardClaim> all) {
    asking = false;
    if (request.isLast()) {
      retired = missing.columns() == 0 && !shared.isOpen();
      return retired;
    }
    answered = true;
    neighbours = new Neighbours(self.writer(), all);
    if (!knowsItself) {
      knowsItself = true;
      shared = OpenRow.filled(0, neighbours.own(0));
    }
    OpenRow row = request.shared();
    if (row != null) {
      answeredShare(row, request.sharedBound());
    }
    for (List<OpenRow> round : request.rounds()) {
      answeredRound(round);
    }
    return false;
  }

  private void answeredShare(OpenRow row, Room bound) {
    Room others = neighbours.claimed(row.shard());
    if (!neighbours.isSole(row.shard()) && others.plus(bound).fits(target)) {
      row.raise(bound);
    } else {
      put(withdrawn, row, row.bound());
    }
  }

  private void answeredRound(List<OpenRow> asked) {
    int lost = 0;
    for (OpenRow row : asked) {
      if (neighbours.claimed(row.shard()).columns() == 0) {
        incomplete.add(row);
      } else {
        put(withdrawn, row, Room.NONE);
        lost++;
      }
    }
    incompleteLacks = lost;
    attempts++;
    if (lost == 0 || attempts >= ATTEMPTS_MAX && !incomplete.isEmpty()) {
      rounds.add(new Round(incomplete));
      incomplete.clear();
      incompleteLacks = 0;
      attempts = 0;
    }
  }

  /** As {@link ShardPlanner#failed}. */
  synchronized void failed(ClaimRequest request) {
    asking = false;
    // Nobody knows what the directory has now; numbers are plenty, and told bounds may stand.
    for (List<OpenRow> round : request.rounds()) {
      round.forEach(row -> put(withdrawn, row, Room.NONE));
    }
  }

  /** As {@link ShardPlanner#giveBack}. */
  synchronized void giveBack(Load load, List<Stretch> stretches) {
    for (Stretch stretch : stretches) {
      Room unused =
          new Room(stretch.to() - stretch.from(), load.bytes(stretch.from(), stretch.to()));
      own = own.minus(unused);
      if (stretch.shard() == shared.shard()) {
        shared.giveBack(unused);
      }
      rounds.giveBack(stretch.shard(), unused);
    }
  }

  synchronized boolean isIdle(long nowMillis, long idleMillis) {
    return !asking && missing.columns() == 0 && nowMillis - usedMillis >= idleMillis;
  }

  /** Whether the type will want rows of its own from the first event of the next hour on. */
  synchronized boolean isBusyToTheEnd(long nowMillis) {
    return own.share(target) >= 1 && rate.in(3600, nowMillis).share(target) >= 1;
  }

  /**
   * Gives up whatever is open, since nothing came for long.
   *
   * @return what the directory should know of that; null if this is at its end already
   */
  synchronized @Nullable ClaimRequest retire() {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    if (answered && shared.isOpen()) {
      shared.close();
      put(claims, shared, shared.used());
    }
    rounds.open().forEach(row -> put(claims, row, row.used()));
    rounds.clear();
    incomplete.forEach(row -> put(claims, row, Room.NONE));
    incomplete.clear();
    incompleteLacks = 0;
    retired = claims.isEmpty();
    asking = !retired;
    return retired ? null : ClaimRequest.last(hour, type, claims.values());
  }
}
