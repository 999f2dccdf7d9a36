package hourglass.bucketing.simulation;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.bucketing.shards.ShardPlanner.Assignment;
import hourglass.bucketing.simulation.ClaimPath.Hop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writers, each with a {@link ShardPlanner} and a clock, which share the claims of rows over a path
 * that may be slow and fail. Time and chance are simulated, so the same calls have the same
 * results. Not thread-safe.
 *
 * <pre>
 *   Simulation run = new Simulation(options, ring, path, random);
 *   run.advanceTo(startMicros);
 *   Simulation.Writer writer = run.writer(0, observer);
 *   writer.push(typeHour, ColumnBatch.of(500, 170)); // observer.onWrite, now or after a claim
 *   run.advanceTo(startMicros + 5_000);              // claims arrive
 * </pre>
 */
public final class Simulation {
  private static final int TICK_REQUESTS_MAX = 1_000;

  /** Receives what a writer does. */
  public interface Observer {
    /** Called when the columns [from, to) of a batch are written to a row. */
    void onWrite(Batch batch, RowKey row, int from, int to);

    /** Called before the answer to a request, the claims of all writers, reaches the planner. */
    default void onAnswer(ClaimRequest request, List<ShardClaim> all) {}
  }

  /**
   * Columns of a writer that are not placed yet.
   *
   * @param from the first of them
   * @param atMicros the time of the push, in microseconds since 1970
   */
  public record Batch(TypeHour typeHour, ColumnBatch columns, int from, long atMicros) {}

  /** The end of a hop. Of two at one time, that of the later hop comes first. */
  private record Step(long atMicros, Hop hop, long number, Runnable action)
      implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byTime = Long.compare(atMicros, other.atMicros);
      int byHop = other.hop.compareTo(hop);
      return byTime != 0 ? byTime : byHop != 0 ? byHop : Long.compare(number, other.number);
    }
  }

  private final PlannerOptions options;
  private final Placement placement;
  private final ClaimPath path;
  private final SplittableRandom random;
  private final SharedClaims claims = new SharedClaims();
  private final PriorityQueue<Step> agenda = new PriorityQueue<>();
  private long nowMicros;
  private long steps;
  private int started;

  /**
   * Creates a simulation at the beginning of 1970, without writers.
   *
   * @param random the source of the chance of each writer
   */
  public Simulation(
      PlannerOptions options, Placement placement, ClaimPath path, SplittableRandom random) {
    this.options = options;
    this.placement = placement;
    this.path = path;
    this.random = random;
  }

  /** A process that places columns. */
  public final class Writer {
    private final long clockOffMillis;
    private final Observer observer;
    private final Map<TypeHour, List<Batch>> waiting = new HashMap<>();
    private ShardPlanner planner;

    private Writer(long clockOffMillis, Observer observer) {
      this.clockOffMillis = clockOffMillis;
      this.observer = observer;
      planner = planner(clockOffMillis);
    }

    /** Restarts the process without notice. Columns that wait for a claim are lost. */
    public void restart() {
      planner = planner(clockOffMillis);
      waiting.clear();
    }

    /** Places columns. Those without a row wait for the next claim. */
    public void push(TypeHour typeHour, ColumnBatch columns) {
      planner.record(typeHour, columns);
      place(new Batch(typeHour, columns, 0, nowMicros));
      carry(planner.nextClaim(typeHour));
    }

    /** Lets the planner prepare the next hour and evict idle type hours, as every few seconds. */
    public void tick() {
      planner.tick(TICK_REQUESTS_MAX).forEach(this::carry);
    }

    public boolean isWaiting() {
      return !waiting.isEmpty();
    }

    private void place(Batch batch) {
      List<Assignment> assignments = new ArrayList<>();
      int to = planner.assign(batch.typeHour, batch.columns, batch.from, assignments);
      for (Assignment each : assignments) {
        observer.onWrite(batch, batch.typeHour.row(each.shard()), each.from(), each.to());
      }
      if (to < batch.columns.columns()) {
        waiting
            .computeIfAbsent(batch.typeHour, added -> new ArrayList<>())
            .add(new Batch(batch.typeHour, batch.columns, to, batch.atMicros));
      }
    }

    private void carry(@Nullable ClaimRequest request) {
      if (request == null) {
        return;
      }
      ShardPlanner asker = planner;
      if (path.fails(Hop.PUBLISH)) {
        after(Hop.ANSWER, () -> answer(asker, request, null));
        return;
      }
      after(
          Hop.PUBLISH,
          () -> {
            claims.publish(request);
            after(Hop.READ, () -> read(asker, request));
          });
    }

    private void read(ShardPlanner asker, ClaimRequest request) {
      List<ShardClaim> all = path.fails(Hop.READ) ? null : claims.of(request.typeHour());
      after(Hop.ANSWER, () -> answer(asker, request, all));
    }

    private void answer(ShardPlanner asker, ClaimRequest request, @Nullable List<ShardClaim> all) {
      if (asker != planner) {
        return; // the process was restarted
      }
      if (all == null) {
        planner.onFailure(request);
      } else {
        observer.onAnswer(request, all);
        planner.onAnswer(request, all);
      }
      List<Batch> placed = waiting.remove(request.typeHour());
      if (placed != null) {
        placed.forEach(this::place);
        carry(planner.nextClaim(request.typeHour()));
      }
    }
  }

  /**
   * Adds a writer.
   *
   * @param clockOffMillis how far its wall clock is ahead
   */
  public Writer writer(long clockOffMillis, Observer observer) {
    return new Writer(clockOffMillis, observer);
  }

  private ShardPlanner planner(long clockOffMillis) {
    return new ShardPlanner(
        options,
        "writer " + ++started,
        placement,
        () -> Math.floorDiv(nowMicros, 1_000) + clockOffMillis,
        () -> nowMicros * 1_000,
        random.split());
  }

  /** Runs an action at the end of a hop, which is at once if the hop takes no time. */
  private void after(Hop hop, Runnable action) {
    long micros = path.micros(hop);
    if (micros == 0) {
      action.run();
    } else {
      agenda.add(new Step(nowMicros + micros, hop, steps++, action));
    }
  }

  /** Advances the time, and handles the claims that are due until then. */
  public void advanceTo(long micros) {
    for (Step next = agenda.peek(); next != null && next.atMicros <= micros; next = agenda.peek()) {
      agenda.remove();
      nowMicros = next.atMicros;
      next.action.run();
    }
    nowMicros = micros;
  }

  /** Returns the time in microseconds since 1970. */
  public long nowMicros() {
    return nowMicros;
  }

  /** Returns the claims of all writers. */
  public SharedClaims claims() {
    return claims;
  }
}
