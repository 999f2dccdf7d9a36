package hourglass.bucketing.shards;

import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rows that one writer has for an hour of a type, and how it comes by more: at first a part of
 * a row that all writers share, and rounds of its own once it is worth them. Not thread-safe.
 *
 * <pre>
 * shared row   0          |own part ..|others' parts ....|free      |
 * first round  17 40 52   |########..| |#######...| |########..|   filled side by side
 * next round   3 61 77    claimed ahead of need
 * </pre>
 */
final class ClaimedRows {
  /** Rows asked for at once. */
  private static final int ROWS_ASKED_MAX = 1024;

  private final Hour hour;
  private final String type;
  private final ShardWriter self;
  private final Capacity target;
  private final Pace pace;
  private OtherWriters neighbours = OtherWriters.NONE_KNOWN;
  private boolean answered;

  /** Whether this has what the writer itself told of the hour and type before. */
  private boolean knowsItself;

  private final SharedRow shared;
  private final ShardGroups rounds = new ShardGroups();

  /** Rows that load all nodes; 0: not asked yet. */
  private int covering;

  /** Asked for, but others took some of its rows first. */
  private final IncompleteGroup pieces = new IncompleteGroup();

  /** By their numbers: claims that go back, told with the next request. */
  private final Map<Integer, ShardClaim> withdrawn = new TreeMap<>();

  private final Set<Integer> numbersTried = new HashSet<>();

  /**
   * @param mayStartUntold whether this writer had no part in the hour before
   */
  ClaimedRows(Hour hour, String type, ShardWriter self, Pace pace, boolean mayStartUntold) {
    this.hour = hour;
    this.type = type;
    this.self = self;
    this.target = self.options().target();
    this.pace = pace;
    this.knowsItself = mayStartUntold;
    this.shared = new SharedRow(target, mayStartUntold);
  }

  /**
   * Puts columns into rows, in order, as many as there is room for.
   *
   * @return the first column that has none
   */
  int place(ColumnBatch load, int from, Demand lack, CurrentTime now, List<Assignment> out) {
    boolean busy = pace.isBusy(lack, now);
    int at = from;
    while (at < load.columns()) {
      ShardGroup round = busy ? rounds.atHand() : null;
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

  private static int take(OpenRow row, ColumnBatch load, int from, List<Assignment> out) {
    int to = row.take(load, from, load.columns());
    if (to > from) {
      out.add(new Assignment(row.shard(), from, to));
    }
    return to;
  }

  /** Whether something should be claimed now. */
  boolean isShort(Demand lack, CurrentTime now) {
    if (lack.isAny() || !withdrawn.isEmpty()) {
      return true;
    }
    if (pace.isBusy(lack, now)) {
      return pieces.lacks() > 0
          || !pace.lead(rounds.size(), now).fits(rounds.left())
          || pace.isWorthMore(rounds.size(), covering, now);
    }
    if (!answered) {
      return shared.shouldTell();
    }
    return rounds.any() == null && shared.isLow();
  }

  /** What to claim, where {@link #isShort}. */
  ClaimRequest ask(Demand lack, CurrentTime now) {
    if (!knowsItself) {
      return ClaimRequest.look(hour, type);
    }
    return pace.isBusy(lack, now) ? askForRounds(lack, now) : askForShare(lack);
  }

  private ClaimRequest askForShare(Demand lack) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    Capacity bound = shared.bound(neighbours, lack);
    if (bound == null) {
      if (answered) {
        put(claims, shared.row(), shared.row().used());
      }
      shared.next(neighbours, lack, shard -> !numbersTried.contains(shard));
      bound = shared.bound(neighbours, lack);
    }
    Capacity asked = bound == null ? target : bound;
    put(claims, shared.row(), asked);
    return new ClaimRequest(hour, type, claims.values(), shared.row(), asked, List.of());
  }

  private ClaimRequest askForRounds(Demand lack, CurrentTime now) {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    giveUpShare(claims);
    List<List<OpenRow>> asked = new ArrayList<>();
    if (pieces.lacks() > 0) {
      asked.add(rows(pieces.lacks(), pieces.won(), lack));
    } else {
      int size = roundSize(lack, now);
      for (int left = roundsWanted(size, lack, now); left > 0; left--) {
        asked.add(rows(size, List.of(), lack));
      }
    }
    for (List<OpenRow> round : asked) {
      round.forEach(row -> put(claims, row, row.bound()));
    }
    return new ClaimRequest(hour, type, claims.values(), null, Capacity.NONE, asked);
  }

  private int roundSize(Demand lack, CurrentTime now) {
    int spread = self.options().spread();
    covering = spread > 0 ? spread : self.numbers().covering(hour, type);
    return spread > 0 ? spread : pace.rows(covering, lack, now);
  }

  private int roundsWanted(int size, Demand lack, CurrentTime now) {
    Capacity need = pace.lead(rounds.size(), now).plus(lack.room()).minus(rounds.left());
    int wanted = (int) Math.min(ROWS_ASKED_MAX, Math.ceil(need.share(target) / size));
    return Math.max(1, Math.min(wanted, ROWS_ASKED_MAX / size));
  }

  private List<OpenRow> rows(int count, List<OpenRow> beside, Demand lack) {
    Capacity bound = target.max(new Capacity(0, lack.largestBytes()));
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

  private void put(Map<Integer, ShardClaim> claims, OpenRow row, Capacity bound) {
    claims.put(row.shard(), row.claim(self.writer(), bound));
  }

  /** As {@link ShardPlanner#answered}. */
  void answered(ClaimRequest request, List<ShardClaim> all) {
    answered = true;
    neighbours = new OtherWriters(self.writer(), all);
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
  }

  private void answeredShare(OpenRow row, Capacity bound) {
    Capacity others = neighbours.claimed(row.shard());
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
        put(withdrawn, row, Capacity.NONE);
      }
    }
    int lost = asked.size() - won.size();
    if (fillsUp || lost > 0 && pieces.lacks() == 0) {
      ShardGroup whole = pieces.add(won, lost);
      if (whole != null) {
        begin(whole);
      }
    } else if (!won.isEmpty()) {
      begin(new ShardGroup(won));
    }
  }

  private void begin(ShardGroup round) {
    rounds.add(round);
    self.began(round);
  }

  /** As {@link ShardPlanner#failed}. */
  void failed(ClaimRequest request) {
    // Nobody knows what the directory has now: told bounds may stand, and may be told again.
    for (List<OpenRow> round : request.rounds()) {
      for (OpenRow row : round) {
        put(withdrawn, row, Capacity.NONE);
        numbersTried.remove(row.shard());
      }
    }
  }

  void giveBack(int shard, Capacity unused) {
    if (shard == shared.row().shard()) {
      shared.row().giveBack(unused);
    }
    rounds.giveBack(shard, unused);
  }

  /** Whether columns may come into the shared row without another claim. */
  boolean isSharing() {
    return shared.row().isOpen();
  }

  /** Gives up whatever is open; returns what the directory should know of that. */
  Map<Integer, ShardClaim> giveUp() {
    Map<Integer, ShardClaim> claims = takeWithdrawn();
    giveUpShare(claims);
    rounds.open().forEach(row -> put(claims, row, row.used()));
    rounds.clear();
    pieces.won().forEach(row -> put(claims, row, Capacity.NONE));
    pieces.clear();
    return claims;
  }
}
