package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * Writers, each with a planner and a clock, over one slow directory that fails at times. One
 * thread, virtual time: a seed repeats all of it.
 */
final class Simulation {
  final PlannerOptions options;
  final Placement placement;
  final Random random;
  final SharedDirectory directory = new SharedDirectory();

  final Map<RowKey, Capacity> rows = new TreeMap<>();

  /** Columns that nodes took, by second. */
  final Map<Long, Map<String, Long>> columnsBySecond = new TreeMap<>();

  private final PriorityQueue<Step> agenda = new PriorityQueue<>();
  private final List<Writer> writers = new ArrayList<>();
  long nowMillis;
  double failures;
  int delayMillisMax = 20;
  long columns;
  long waits;
  long longestWaitMillis;
  private long steps;
  private int starts;

  private record Step(long atMillis, long number, Runnable what) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  Simulation(PlannerOptions options, Placement placement, Random random, Hour begin) {
    this.options = options;
    this.placement = placement;
    this.random = random;
    this.nowMillis = begin.start().toEpochMilli();
  }

  final class Writer {
    private final long clockOffMillis;
    private final Map<TypeHour, List<Batch>> waiting = new HashMap<>();
    private ShardPlanner planner;

    private Writer(long clockOffMillis) {
      this.clockOffMillis = clockOffMillis;
      start();
    }

    private void start() {
      planner =
          new ShardPlanner(
              options,
              "w" + starts++,
              placement,
              () -> nowMillis + clockOffMillis,
              () -> nowMillis * 1_000_000,
              new Random(random.nextLong()));
      waiting.clear();
    }

    /** Restarts a writer without notice: its waiting columns are lost. */
    void restart() {
      start();
    }

    void push(Hour hour, String type, int count, int bytesEach) {
      TypeHour typeHour = new TypeHour(hour, type);
      Batch batch = new Batch(typeHour, ColumnBatch.of(count, bytesEach), nowMillis);
      planner.record(typeHour, batch.load);
      place(batch);
      carry(planner.nextClaim(typeHour));
    }

    private void place(Batch batch) {
      List<Assignment> assignments = new ArrayList<>();
      int from = batch.placed;
      batch.placed = planner.assign(batch.typeHour, batch.load, from, assignments);
      int at = from;
      for (Assignment assignment : assignments) {
        assertThat(assignment.from()).isEqualTo(at);
        assertThat(assignment.to()).isGreaterThan(at);
        at = assignment.to();
        write(batch.typeHour.row(assignment.shard()), batch.load, assignment);
      }
      assertThat(at).isEqualTo(batch.placed);
      if (batch.placed < batch.load.columns()) {
        waiting.computeIfAbsent(batch.typeHour, any -> new ArrayList<>()).add(batch);
      } else if (nowMillis > batch.atMillis) {
        waits++;
        longestWaitMillis = Math.max(longestWaitMillis, nowMillis - batch.atMillis);
      }
    }

    void tick() {
      planner.tick(1_000).forEach(this::carry);
    }

    private void carry(ClaimRequest request) {
      if (request == null) {
        return;
      }
      ShardPlanner asker = planner;
      boolean failsBefore = random.nextDouble() < failures;
      boolean failsAfter = random.nextDouble() < failures;
      if (failsBefore) {
        after(delay(), () -> answer(asker, request, null));
        return;
      }
      after(
          delay(),
          () -> {
            directory.upsert(request);
            after(
                delay(),
                () -> {
                  List<ShardClaim> read = failsAfter ? null : directory.all(request);
                  after(delay(), () -> answer(asker, request, read));
                });
          });
    }

    private void answer(ShardPlanner asker, ClaimRequest request, List<ShardClaim> all) {
      if (asker != planner) {
        return; // it was restarted
      }
      if (all == null) {
        planner.onFailure(request);
      } else {
        planner.onAnswer(request, all);
      }
      List<Batch> again = waiting.remove(request.typeHour());
      if (again != null) {
        again.forEach(this::place);
        carry(planner.nextClaim(request.typeHour()));
      }
    }

    boolean waits() {
      return !waiting.isEmpty();
    }
  }

  private static final class Batch {
    private final TypeHour typeHour;
    private final ColumnBatch load;
    private final long atMillis;
    private int placed;

    private Batch(TypeHour typeHour, ColumnBatch load, long atMillis) {
      this.typeHour = typeHour;
      this.load = load;
      this.atMillis = atMillis;
    }
  }

  private void write(RowKey row, ColumnBatch load, Assignment assignment) {
    Capacity capacity =
        new Capacity(
            assignment.to() - assignment.from(), load.bytes(assignment.from(), assignment.to()));
    rows.merge(row, capacity, Capacity::plus);
    columns += capacity.columns();
    List<String> nodes = placement.nodes(row);
    if (!nodes.isEmpty()) {
      Map<String, Long> loads =
          columnsBySecond.computeIfAbsent(nowMillis / 1000, second -> new HashMap<>());
      nodes.forEach(node -> loads.merge(node, capacity.columns(), Long::sum));
    }
  }

  Writer writer(long clockOffMillis) {
    Writer writer = new Writer(clockOffMillis);
    writers.add(writer);
    return writer;
  }

  private long delay() {
    return 1 + random.nextInt(delayMillisMax);
  }

  void after(long millis, Runnable what) {
    agenda.add(new Step(nowMillis + millis, steps++, what));
  }

  void run(long millis) {
    long end = nowMillis + millis;
    while (!agenda.isEmpty() && agenda.peek().atMillis() <= end) {
      Step next = agenda.remove();
      nowMillis = next.atMillis();
      next.what().run();
    }
    nowMillis = end;
  }

  Now now() {
    return new Now();
  }

  final class Now {
    double widest() {
      return rows.values().stream().mapToDouble(row -> row.share(options.target())).max().orElse(0);
    }

    long rows(Hour hour, String type) {
      return rows.keySet().stream()
          .filter(row -> row.hour().equals(hour) && row.type().equals(type))
          .count();
    }

    long columns(long second) {
      return columnsBySecond.getOrDefault(second, Map.of()).values().stream()
          .mapToLong(load -> load)
          .sum();
    }

    /**
     * The largest share of a node in the seconds {@code [from, to)} of the run, against the mean.
     */
    double maxToMean(long fromSecond, long toSecond, int nodes) {
      Map<String, Long> sums = new HashMap<>();
      columnsBySecond.forEach(
          (second, loads) -> {
            if (second >= fromSecond && second < toSecond) {
              loads.forEach((node, load) -> sums.merge(node, load, Long::sum));
            }
          });
      double sum = sums.values().stream().mapToLong(load -> load).sum();
      long max = sums.values().stream().mapToLong(load -> load).max().orElse(0);
      return max / (sum / nodes);
    }

    String widths() {
      int[] tenths = new int[12];
      rows.values().forEach(row -> tenths[(int) Math.min(11, 10 * row.share(options.target()))]++);
      StringBuilder text = new StringBuilder("rows by tenths of their target:");
      for (int i = 0; i < tenths.length; i++) {
        text.append(i == 10 ? " | over: " : " ").append(tenths[i]);
      }
      return text.append(", widest ").append(String.format("%.3f", widest())).toString();
    }
  }
}
