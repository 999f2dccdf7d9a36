package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.simulation.ClaimPath;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.bucketing.simulation.Simulation;
import hourglass.bucketing.simulation.TokenAllocation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A simulation with a slow directory that fails at times, and what its writers wrote. */
final class PlannerRun implements Simulation.Observer, ClaimPath {
  private static final int TOKENS_PER_NODE = 16;
  private static final int HOP_MILLIS_MAX = 20;

  final Random random;
  final Map<RowKey, RowLoad> rows = new HashMap<>();

  private final PlannerOptions options;
  private final @Nullable Ring ring;
  private final Simulation simulation;
  private final long beginMillis;
  private final NodeLoads loads;
  private final Map<ColumnBatch, Integer> placed = new IdentityHashMap<>();
  double failures;
  long columns;
  long waits;
  long longestWaitMillis;

  /**
   * @param ring the nodes, or null for one that keeps everything
   */
  PlannerRun(PlannerOptions options, @Nullable Ring ring, Random random, Hour begin) {
    this.options = options;
    this.ring = ring;
    this.random = random;
    Placement placement = ring == null ? Placement.ONE_PLACE : ring;
    simulation = new Simulation(options, placement, this, new SplittableRandom(random.nextLong()));
    beginMillis = begin.start().toEpochMilli();
    loads = new NodeLoads(ring == null ? 0 : ring.names().size(), 1);
    simulation.advanceTo(beginMillis * 1_000);
  }

  /** A ring whose nodes have random tokens. */
  static Ring ring(int nodes, int copies, Random random) {
    return new Ring(
        TokenAllocation.random.nodesByToken(nodes, TOKENS_PER_NODE, random.nextLong()),
        Math.min(copies, nodes));
  }

  @Override
  public long micros(Hop hop) {
    return 1_000L * (1 + random.nextInt(HOP_MILLIS_MAX));
  }

  @Override
  public boolean fails(Hop hop) {
    return random.nextDouble() < failures;
  }

  Simulation.Writer writer(long clockOffMillis) {
    return simulation.writer(clockOffMillis, this);
  }

  void push(Simulation.Writer writer, Hour hour, String type, int count, int bytesEach) {
    writer.push(new TypeHour(hour, type), ColumnBatch.of(count, bytesEach));
  }

  @Override
  public void onWrite(Simulation.Batch batch, RowKey row, int from, int to) {
    ColumnBatch load = batch.columns();
    assertThat(from).isEqualTo(placed.getOrDefault(load, 0));
    assertThat(to).isBetween(from + 1, load.columns());
    if (to < load.columns()) {
      placed.put(load, to);
    } else {
      placed.remove(load);
    }
    int[] nodes = ring == null ? new int[0] : ring.replicas(row.toString());
    int count = to - from;
    rows.computeIfAbsent(row, added -> new RowLoad(added, nodes))
        .add(second(), count, count, load.bytes(from, to));
    loads.add((int) second(), nodes, count, load.bytes(from, to));
    columns += count;
    long waitMillis = nowMillis() - batch.atMicros() / 1_000;
    waits += waitMillis > 0 ? 1 : 0;
    longestWaitMillis = Math.max(longestWaitMillis, waitMillis);
  }

  void run(long millis) {
    simulation.advanceTo(simulation.nowMicros() + 1_000 * millis);
  }

  long nowMillis() {
    return simulation.nowMicros() / 1_000;
  }

  long claimsPublished() {
    return simulation.claims().published();
  }

  /** The second of the run, from 0. */
  long second() {
    return (nowMillis() - beginMillis) / 1_000;
  }

  double share(RowLoad row) {
    return new Capacity(row.columns(), row.bytes()).share(options.target());
  }

  double widest() {
    return rows.values().stream().mapToDouble(this::share).max().orElse(0);
  }

  long rows(Hour hour, String type) {
    return rows.keySet().stream()
        .filter(row -> row.hour().equals(hour) && row.type().equals(type))
        .count();
  }

  /** The columns that nodes took in the seconds {@code [from, to)} of the run. */
  long[] columns(long fromSecond, long toSecond) {
    loads.end();
    long[] sums = new long[loads.writes().length];
    loads.intervals().stream()
        .skip(fromSecond)
        .limit(toSecond - fromSecond)
        .forEach(second -> Arrays.setAll(sums, node -> sums[node] + second[node]));
    return sums;
  }

  /** The largest share of a node in the seconds {@code [from, to)} of the run, against the mean. */
  double maxToMean(long fromSecond, long toSecond) {
    return NodeLoads.maxOverMean(columns(fromSecond, toSecond));
  }

  String widths() {
    int[] tenths = new int[12];
    rows.values().forEach(row -> tenths[(int) Math.min(11, 10 * share(row))]++);
    StringBuilder text = new StringBuilder("rows by tenths of their target:");
    for (int i = 0; i < tenths.length; i++) {
      text.append(i == 10 ? " | over: " : " ").append(tenths[i]);
    }
    return text.append(", widest ").append(String.format("%.3f", widest())).toString();
  }
}
