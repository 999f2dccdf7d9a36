package hourglass.bucketing.shards;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one writer into which rows of an hour and type its columns go, so that rows stay
 * narrow, writes stay spread and quiet types have one row. It holds no store: whoever drives it
 * carries its {@link ClaimRequest}s to a directory that all writers share, and brings the answers.
 * Between claims, to assign is arithmetic. Thread-safe.
 *
 * <pre>
 *   planner.came(hour, type, load);
 *   int at = planner.assign(hour, type, load, 0, stretches);    // as many as have a row
 *   ClaimRequest request = planner.wanted(hour, type);          // perhaps ahead of need
 *   if (request != null) {
 *     directory.upsert(request.claims());                       // one (shard, writer) each
 *     planner.answered(request, directory.all(hour, type));     // read after the upsert
 *   }
 *   at = planner.assign(hour, type, load, at, stretches);       // if at &lt; load.columns()
 * </pre>
 *
 * <p>What a row gets, at the most: a writer uses a shared row only below the bound that it told,
 * and only if, read afterwards, the bounds of all writers together are within the target. Of all
 * bounds that stand, the one that was told last saw the others, so together they are within it. A
 * tenth of the target goes to those who use row 0 a little without telling, 128 writers of 1/1280
 * each.
 *
 * <p>A directory whose reads may miss what was told before (such as consistency ONE) voids that.
 */
public final class ShardPlanner {
  /** An hour and type that got nothing for so long is forgotten. */
  static final long IDLE_MILLIS = 10 * 60_000;

  /** Or, where there are too many, for so long. */
  private static final long IDLE_MILLIS_CROWDED = 10_000;

  /** About 500 bytes each. What is idle beyond is forgotten without a word. */
  static final int TYPE_HOURS_MAX = 100_000;

  /** Busy types get their rows of the next hour so long before it begins. */
  private static final long AHEAD_MILLIS = 20_000;

  private final ShardWriter self;
  private final Map<Key, TypeHourPlan> typeHours = new ConcurrentHashMap<>();

  private final EvictedTypeHours evicted = new EvictedTypeHours();

  // Comparable, so that types chosen for their equal hashes do not make the map slow.
  private record Key(Hour hour, String type) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byType = type.compareTo(other.type);
      return byType != 0 ? byType : hour.compareTo(other.hour);
    }
  }

  /**
   * @param writer a name that no other writer has or had, not even an earlier start of this one
   * @param clockMillis the time since 1970, for what hour it is; it need not agree with that of
   *     others, and may step back
   * @param nanoTime as {@link System#nanoTime}: for how long things take
   * @param random makes it unlikely that writers choose the same rows at once
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
    self =
        new ShardWriter(
            writer,
            options,
            new ShardChooser(placement, random),
            clockMillis,
            nanoTime,
            new LongAdder(),
            new LongAdder());
  }

  /**
   * Counts columns that came, for how fast they do; call it once for each load, before the first
   * {@link #assign}.
   *
   * @return when that was, for {@link #recordFailure}
   */
  public long record(Hour hour, String type, ColumnBatch batch) {
    return typeHour(hour, type).record(batch);
  }

  /**
   * Takes back that columns came, since their write failed, and perhaps comes again: or a type
   * whose writes are sent again and again would look hot. Whether any of them were written does not
   * matter; where they certainly were not, {@link #release} takes them out of their rows.
   *
   * @param batch all of what {@link #record}
   * @param recordedMillis as that said
   */
  public void recordFailure(Hour hour, String type, ColumnBatch batch, long recordedMillis) {
    TypeHourPlan typeHour = typeHours.get(new Key(hour, type));
    if (typeHour != null) {
      typeHour.recordFailure(batch, recordedMillis);
    }
  }

  /**
   * Puts columns into rows, in order, as many as there is room for.
   *
   * @param batch columns of that hour and type
   * @param from the first column that has no row yet
   * @param out gets the stretches; several may be of one row
   * @return the first column that still has none; the size of the load if all have one. If some
   *     have none, call again after the next {@link #onAnswer} for this hour and type.
   */
  public int assign(Hour hour, String type, ColumnBatch batch, int from, List<Assignment> out) {
    while (true) {
      int at = typeHour(hour, type).assign(batch, from, out);
      if (at >= 0) {
        return at;
      }
    }
  }

  /**
   * What should be claimed now for an hour and type; null if nothing, or if a claim is under way.
   */
  public @Nullable ClaimRequest nextClaim(Hour hour, String type) {
    return typeHour(hour, type).nextClaim();
  }

  /**
   * Takes the answer to a request. All who wait for a row then {@link #assign} again before {@link
   * #wanted} is asked: a request is for what they lack together.
   *
   * @param all every claim of that hour and type, read after those of the request were told
   */
  public void onAnswer(ClaimRequest request, List<ShardClaim> all) {
    TypeHourPlan typeHour = typeHours.get(new Key(request.hour(), request.type()));
    if (typeHour != null && typeHour.onAnswer(request, all)) {
      typeHours.remove(new Key(request.hour(), request.type()), typeHour);
    }
  }

  /** Takes that a request failed, whether or not its claims were told. */
  public void onFailure(ClaimRequest request) {
    TypeHourPlan typeHour = typeHours.get(new Key(request.hour(), request.type()));
    if (typeHour != null) {
      typeHour.onFailure(request);
    }
  }

  /** How many rounds of rows this writer began so far. */
  public long groups() {
    return self.groupsBegun().sum();
  }

  /** Of how many hours and types this writer knows what it has. */
  public int typeHours() {
    return typeHours.size();
  }

  /** How many rows those rounds had together. */
  public long rows() {
    return self.rowsBegun().sum();
  }

  /** Takes columns out of their rows that were certainly not written. */
  public void release(Hour hour, String type, ColumnBatch batch, List<Assignment> assignments) {
    TypeHourPlan typeHour = typeHours.get(new Key(hour, type));
    if (typeHour != null) {
      typeHour.release(batch, assignments);
    }
  }

  /**
   * Looks after what nobody asks for; call it every few seconds. Forgets what is idle, and prepares
   * the next hour of busy types shortly before it begins. What is idle is given up with a request,
   * so that others may use what is left of its rows; but where there is so much that memory is at
   * stake, such as a year that is filled in, without one.
   *
   * @param requestsMax what could not be asked for is, when this is called again
   * @return requests to carry out and answer like others; those for the next hour first
   */
  public List<ClaimRequest> tick(int requestsMax) {
    List<ClaimRequest> requests = new ArrayList<>();
    CurrentTime now = self.now();
    int crowd = typeHours.size() - TYPE_HOURS_MAX;
    long idleMillis = crowd > 0 ? IDLE_MILLIS_CROWDED : IDLE_MILLIS;
    for (Map.Entry<Key, TypeHourPlan> each : typeHours.entrySet()) {
      Key key = each.getKey();
      if (requests.size() < requestsMax
          && isEnding(key.hour(), now)
          && each.getValue().isBusyToTheEnd(now)) {
        add(requests, nextClaim(key.hour().next(), key.type()));
      }
    }
    for (Map.Entry<Key, TypeHourPlan> each : typeHours.entrySet()) {
      if (!each.getValue().isIdle(now, idleMillis)) {
        continue;
      }
      if (requests.size() < requestsMax) {
        add(requests, retire(each.getKey(), each.getValue(), idleMillis));
      } else if (crowd > 0) {
        // What it told stands, and it is looked at again if more comes.
        forget(each.getKey(), each.getValue(), idleMillis);
        crowd--;
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

  private @Nullable ClaimRequest retire(Key key, TypeHourPlan typeHour, long idleMillis) {
    evicted.add(key.hour(), key.type());
    ClaimRequest last = typeHour.retire(self.now(), idleMillis);
    if (typeHour.isRetired()) {
      typeHours.remove(key, typeHour);
    }
    return last;
  }

  private void forget(Key key, TypeHourPlan typeHour, long idleMillis) {
    evicted.add(key.hour(), key.type());
    if (typeHour.retireSilently(self.now(), idleMillis)) {
      typeHours.remove(key, typeHour);
    }
  }

  private TypeHourPlan typeHour(Hour hour, String type) {
    Key key = new Key(hour, type);
    TypeHourPlan known = typeHours.get(key);
    return known != null ? known : typeHours.computeIfAbsent(key, this::begin);
  }

  private TypeHourPlan begin(Key key) {
    EventType.check(key.type());
    TypeHourPlan before =
        key.hour().equals(Hour.FIRST)
            ? null
            : typeHours.get(new Key(key.hour().previous(), key.type()));
    return new TypeHourPlan(
        key.hour(), key.type(), self, before, !evicted.has(key.hour(), key.type()));
  }
}
