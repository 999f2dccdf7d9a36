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
  /** Rows asked for at once. */
  private static final int ROWS_ASKED_MAX = 1024;

  private final Hour hour;
  private final String type;
  private final Claimant self;
  private final Room target;
  private final Pace pace;
  private Room missing = Room.NONE;
  private long nextBytes;
  private Neighbours neighbours = Neighbours.NONE_KNOWN;
  private boolean answered;

  /** Whether this has what the writer itself told of the hour and type before. */
  private boolean knowsItself;

  private boolean asking;
  private boolean retired;
  private long usedMillis;

  private final SharedPart shared;
  private final Rounds rounds = new Rounds();

  /** Rows that load all nodes; 0: not asked yet. */
  private int covering;

  /** Asked for, but others took some of its rows first. */
  private final RoundInPieces pieces = new RoundInPieces();

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
    this.knowsItself = mayStartUntold;
    Moment now = self.now();
    this.usedMillis = now.elapsedMillis();
    this.pace = before == null ? new Pace(hour, target, null, now) : before.paceOf(hour, now);
    this.shared = new SharedPart(target, mayStartUntold);
  }

  private synchronized Pace paceOf(Hour next, Moment now) {
    return new Pace(next, target, pace, now);
  }

  /** As {@link ShardPlanner#came}. */
  synchronized long came(Load load) {
    Moment now = self.now();
    pace.came(load, now);
    usedMillis = now.elapsedMillis();
    return usedMillis;
  }

  /** As {@link ShardPlanner#cameToNothing}. */
  synchronized void cameToNothing(Load load, long cameMillis) {
    pace.cameToNothing(load, cameMillis, self.now());
  }

  /** As {@link ShardPlanner#assign}; -1 if this was retired meanwhile. */
  synchronized int assign(Load load, int from, List<Stretch> out) {
    if (retired) {
      return -1;
    }
    int end = load.columns();
    Moment now = self.now();
    int at = place(load, from, now, out);
    pace.took(new Room(at - from, load.bytes(from, at)));
    if (at < end) {
      missing = missing.plus(new Room(end - at, load.bytes(at, end)));
      nextBytes = Math.max(nextBytes, load.bytes(at, at + 1));
    }
    return at;
  }

  private int place(Load load, int from, Moment now, List<Stretch> out) {
    boolean busy = isBusy(now);
    int at = from;
    while (at < load.columns()) {
      Round round = busy ? rounds.atHand() : null;
      OpenRow row = shared.row().isOpen() ? shared.row() : rounds.any();
      if (round != null) {
        at = round.deal(load, at, load.columns(), pace.turn(round.size(), now), out);
      } else if (row != null) {
        at = take(row, load, at, out);
      } else {
        break;
      }
    }
    return at;
  }

  private static int take(OpenRow row, Load load, int from, List<Stretch> out) {
    int to = row.take(load, from, load.columns());
    if (to > from) {
      out.add(new Stretch(row.shard(), from, to));
    }
    return to;
  }

  private boolean isBusy(Moment now) {
    return pace.isBusy(missing, nextBytes, now);
  }

  /** What should be claimed now, or null. */
  synchronized @Nullable ClaimRequest wanted() {
    Moment now = self.now();
    if (asking || retired || !isShort(now)) {
      return null;
    }
    ClaimRequest request =
        knowsItself
            ? isBusy(now) ? askForRounds(now) : askForShare()
            : ClaimRequest.look(hour, type);
    asking = true;
    return request;
  }

  private boolean isShort(Moment now) {
    if (missing.columns() > 0 || !withdrawn.isEmpty()) {
      return true;
    }
    if (isBusy(now)) {
      return pieces.lacks() > 0
          || !pace.lead(rounds.size(), now).fits(rounds.left())
          || pace.isWorthMore(rounds.size(), covering, now);
    }
    if (!answered) {
      return shared.shouldTell();
    }
    return rounds.any() == null && shared.isLow();
  }

  private ClaimRequest askForShare() {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    Room bound = shared.bound(neighbours, missing, nextBytes);
    if (bound == null) {
      if (answered) {
        put(claims, shared.row(), shared.row().used());
      }
      shared.next(neighbours, missing, nextBytes, shard -> !numbersTried.contains(shard));
      bound = shared.bound(neighbours, missing, nextBytes);
    }
    Room asked = bound == null ? target : bound;
    put(claims, shared.row(), asked);
    return new ClaimRequest(hour, type, claims.values(), shared.row(), asked, List.of());
  }

  private ClaimRequest askForRounds(Moment now) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    giveUpShare(claims);
    List<List<OpenRow>> asked = new ArrayList<>();
    if (pieces.lacks() > 0) {
      asked.add(rows(pieces.lacks(), pieces.won()));
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

  private int roundSize(Moment now) {
    int spread = self.options().spread();
    covering = spread > 0 ? spread : self.numbers().covering(hour, type);
    return spread > 0 ? spread : pace.rows(covering, missing, now);
  }

  private int roundsWanted(int size, Moment now) {
    Room need = pace.lead(rounds.size(), now).plus(missing).minus(rounds.left());
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
    return shard > 0
        && !shared.has(shard)
        && !numbersTried.contains(shard)
        && neighbours.isFree(shard);
  }

  private void giveUpShare(Map<Integer, ShardClaim> claims) {
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

  private void put(Map<Integer, ShardClaim> claims, OpenRow row, Room bound) {
    claims.put(row.shard(), row.claim(self.writer(), bound));
  }

  /**
   * As {@link ShardPlanner#answered}.
   *
   * @return whether this is at its end
   */
  synchronized boolean answered(ClaimRequest request, List<ShardClaim> all) {
    boolean awaited = missing.columns() > 0;
    missing = Room.NONE; // those who wait try again, and say anew what they lack
    nextBytes = 0;
    asking = false;
    if (request.isLast()) {
      retired = !awaited && !shared.row().isOpen();
      return retired;
    }
    answered = true;
    neighbours = new Neighbours(self.writer(), all);
    if (neighbours.haveRounds()) {
      pace.othersSpread();
    }
    if (!knowsItself) {
      knowsItself = true;
      shared.remember(neighbours.own(0));
    }
    OpenRow row = request.shared();
    if (row != null) {
      answeredShare(row, request.sharedBound());
    }
    boolean fillsUp = pieces.lacks() > 0;
    for (List<OpenRow> round : request.rounds()) {
      answeredRound(round, fillsUp);
    }
    return false;
  }

  private void answeredShare(OpenRow row, Room bound) {
    Room others = neighbours.claimed(row.shard());
    if (!neighbours.isSole(row.shard()) && others.plus(bound).fits(target)) {
      shared.raise(bound);
    } else {
      put(withdrawn, row, row.bound());
    }
  }

  /**
   * @param fillsUp whether these are for the round that is incomplete
   */
  private void answeredRound(List<OpenRow> asked, boolean fillsUp) {
    List<OpenRow> won = new ArrayList<>();
    for (OpenRow row : asked) {
      if (neighbours.claimed(row.shard()).columns() == 0) {
        won.add(row);
      } else {
        put(withdrawn, row, Room.NONE);
      }
    }
    int lost = asked.size() - won.size();
    if (fillsUp || lost > 0 && pieces.lacks() == 0) {
      Round whole = pieces.add(won, lost);
      if (whole != null) {
        begin(whole);
      }
    } else if (!won.isEmpty()) {
      begin(new Round(won));
    }
  }

  private void begin(Round round) {
    rounds.add(round);
    self.began(round);
  }

  /** As {@link ShardPlanner#failed}. */
  synchronized void failed(ClaimRequest request) {
    asking = false;
    missing = Room.NONE; // those who waited fail with it
    nextBytes = 0;
    // Nobody knows what the directory has now: told bounds may stand, and may be told again.
    for (List<OpenRow> round : request.rounds()) {
      for (OpenRow row : round) {
        put(withdrawn, row, Room.NONE);
        numbersTried.remove(row.shard());
      }
    }
  }

  /** As {@link ShardPlanner#giveBack}. */
  synchronized void giveBack(Load load, List<Stretch> stretches) {
    for (Stretch stretch : stretches) {
      Room unused =
          new Room(stretch.to() - stretch.from(), load.bytes(stretch.from(), stretch.to()));
      pace.gaveBack(unused);
      if (stretch.shard() == shared.row().shard()) {
        shared.row().giveBack(unused);
      }
      rounds.giveBack(stretch.shard(), unused);
    }
  }

  /** Whether this is at its end, and takes nothing more. */
  synchronized boolean isRetired() {
    return retired;
  }

  synchronized boolean isIdle(Moment now, long idleMillis) {
    return !asking && missing.columns() == 0 && now.elapsedMillis() - usedMillis >= idleMillis;
  }

  /** Whether the type will want rows of its own from the first event of the next hour on. */
  synchronized boolean isBusyToTheEnd(Moment now) {
    return pace.isBusyToTheEnd(now);
  }

  /**
   * Takes nothing more, if nothing came for long; what is open stays claimed.
   *
   * @return whether it is so
   */
  synchronized boolean retireUntold(Moment now, long idleMillis) {
    retired |= isIdle(now, idleMillis);
    return retired;
  }

  /**
   * Gives up whatever is open, if nothing came for long.
   *
   * @return what the directory should know of that; null if there is nothing to tell
   */
  synchronized @Nullable ClaimRequest retire(Moment now, long idleMillis) {
    if (!isIdle(now, idleMillis)) {
      return null; // something came since this was looked at
    }
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    giveUpShare(claims);
    rounds.open().forEach(row -> put(claims, row, row.used()));
    rounds.clear();
    pieces.won().forEach(row -> put(claims, row, Room.NONE));
    pieces.clear();
    retired = claims.isEmpty();
    asking = !retired;
    return retired ? null : ClaimRequest.last(hour, type, claims.values());
  }
}
