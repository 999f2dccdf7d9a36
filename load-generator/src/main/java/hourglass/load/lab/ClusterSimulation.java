package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bucketing.simulation.ClaimPath;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.bucketing.simulation.Simulation;
import hourglass.load.lab.SimulateCommand.Traffic;
import hourglass.load.send.EventShape;
import hourglass.load.send.Zipf;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A ring with many writers at the beginning of an hour, in which events are only counted. Requests
 * reach the writers in turn, each with events of some types. Time and chance are simulated, so the
 * same arguments produce the same figures. For one run.
 */
final class ClusterSimulation {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final long HOUR_MICROS = HOUR.start().toEpochMilli() * 1_000;

  private static final long HOP_MICROS = 5_000;

  /** Claims take a hop until they are durable, and another until those of all are answered. */
  private static final ClaimPath PATH = hop -> hop == ClaimPath.Hop.ANSWER ? 0 : HOP_MICROS;

  private static final long SECOND_MICROS = 1_000_000;
  private static final int TICK_SECONDS = 2;

  /** A row, and the record that one process keeps of it in the directory. */
  private record Part(RowLoad row, DirectoryRecord record) {}

  /** An ingest process, and the rows that it writes. */
  private final class Ingest implements Simulation.Observer {
    final Simulation.Writer writer = simulation.writer(0, this);
    final Map<RowKey, Part> parts = new HashMap<>();
    private final List<Part> inexact = new ArrayList<>();

    @Override
    public void onWrite(Simulation.Batch batch, RowKey key, int from, int to) {
      Part part = parts.computeIfAbsent(key, ClusterSimulation.this::part);
      int columns = to - from;
      long bytes = batch.columns().bytes(from, to);
      part.row.add(second(), columns, columns, bytes);
      if (isMeasured()) {
        events.add(second(), part.row.nodes, columns, bytes);
        waits.add(simulation.nowMicros() - batch.atMicros(), columns);
      }
      if (part.record.isExact()) {
        inexact.add(part);
      }
      if (part.record.add(columns, bytes, simulation.nowMicros())) {
        publish(part.record);
      }
    }

    @Override
    public void onAnswer(ClaimRequest request, List<ShardClaim> all) {
      if (isMeasured()) {
        claims.add(request, all);
      }
    }

    void publishDue() {
      inexact.removeIf(
          part -> {
            if (part.record.check(simulation.nowMicros())) {
              publish(part.record);
            }
            return part.record.isExact();
          });
    }
  }

  private final Ring ring;
  private final PlannerOptions options;
  private final Traffic traffic;
  private final SplittableRandom random;
  private final Simulation simulation;
  private final List<Ingest> processes = new ArrayList<>();
  private final Map<RowKey, RowLoad> rows = new HashMap<>();
  private final NodeLoads events;
  private final NodeLoads directory;
  private final long[] publicationsByBucket = new long[DirectoryRecord.BUCKETS];
  private final WriteWaits waits = new WriteWaits();
  private final ClaimCounts claims = new ClaimCounts();

  /** The measured writes, and how long their columns waited for a row. */
  private static final class WriteWaits {
    private long writes;
    private long waited;
    private long longestMicros;

    void add(long micros, int columns) {
      writes++;
      waited += micros > 0 ? columns : 0;
      longestMicros = Math.max(longestMicros, micros);
    }
  }

  ClusterSimulation(Ring ring, PlannerOptions options, Traffic traffic, long seed) {
    this.ring = ring;
    this.options = options;
    this.traffic = traffic;
    random = new SplittableRandom(seed);
    simulation = new Simulation(options, ring, PATH, random);
    events = new NodeLoads(ring.names().size(), 1);
    directory = new NodeLoads(ring.names().size(), 1);
  }

  void run(int writerCount) {
    simulation.advanceTo(HOUR_MICROS - traffic.warmUp * SECOND_MICROS);
    for (int i = 0; i < writerCount; i++) {
      processes.add(new Ingest());
    }
    Zipf zipf = new Zipf(traffic.types, traffic.skew);
    List<String> names = EventShape.typeNames(traffic.types);
    double stepMicros = traffic.batch / traffic.rate * SECOND_MICROS;
    long requests = (long) ((traffic.warmUp + traffic.seconds) * 1e6 / stepMicros);
    int second = -traffic.warmUp;
    for (long number = 0; number < requests; number++) {
      simulation.advanceTo(
          HOUR_MICROS + (long) (number * stepMicros) - traffic.warmUp * SECOND_MICROS);
      while (second < second()) {
        second++;
        processes.forEach(Ingest::publishDue);
        if (second % TICK_SECONDS == 0) {
          processes.forEach(each -> each.writer.tick());
        }
      }
      push(processes.get((int) (number % writerCount)).writer, zipf, names);
    }
    events.end();
    directory.end();
  }

  /** Pushes a request, whose events are shared evenly between the types that are drawn. */
  private void push(Simulation.Writer writer, Zipf zipf, List<String> names) {
    Hour hour = isMeasured() ? HOUR : HOUR.previous();
    int[] drawn = new int[traffic.typesInRequest];
    Arrays.setAll(drawn, i -> zipf.draw(random));
    Arrays.sort(drawn);
    int from = 0;
    for (int to = 1; to <= drawn.length; to++) {
      if (to == drawn.length || drawn[to] != drawn[from]) {
        long columns = (long) traffic.batch * (to - from) / traffic.typesInRequest;
        writer.push(
            new TypeHour(hour, names.get(drawn[from])),
            ColumnBatch.of(Math.max(1, (int) columns), traffic.bytes));
        from = to;
      }
    }
  }

  private int second() {
    return (int) Math.floorDiv(simulation.nowMicros() - HOUR_MICROS, SECOND_MICROS);
  }

  private boolean isMeasured() {
    return simulation.nowMicros() >= HOUR_MICROS;
  }

  private Part part(RowKey key) {
    return new Part(
        rows.computeIfAbsent(key, added -> new RowLoad(added, ring.replicas(added.toString()))),
        new DirectoryRecord(key));
  }

  private void publish(DirectoryRecord record) {
    if (isMeasured()) {
      directory.add(second(), ring.replicas(record.partition()), 1, 0);
      publicationsByBucket[record.bucket()]++;
    }
  }

  JsonObject figures() {
    List<RowLoad> measured =
        rows.values().stream().filter(row -> row.key.hour().equals(HOUR)).toList();
    long records =
        processes.stream()
            .flatMap(each -> each.parts.keySet().stream())
            .filter(row -> row.hour().equals(HOUR))
            .count();
    long targetColumns = Math.min(options.targetColumns(), options.targetBytes() / traffic.bytes);
    double columns = LongStream.of(events.writes()).sum() / (double) ring.replicas("").length;
    LongSummaryStatistics buckets = LongStream.of(publicationsByBucket).summaryStatistics();
    return new JsonObject()
        .put("columns", columns)
        .put("columns_a_write", columns / waits.writes)
        .put("writes_per_second", perSecond(waits.writes))
        .put("node_max_over_mean", NodeLoads.maxOverMean(events.writes()))
        .put("node_max_over_mean_worst_second", events.worstSecond())
        .put("worst_second_at", events.worstSecondAt())
        .put("node_columns", LongStream.of(events.writes()).boxed().toList())
        .put("rows", measured.size())
        .put("rows_over_target", measured.stream().filter(r -> r.columns() > targetColumns).count())
        .put("row_columns_max", max(measured, RowLoad::columns))
        .put("row_columns_target", targetColumns)
        .put("row_columns_per_second_max", max(measured, RowLoad::writesPerSecondMax))
        .put("claim_requests_per_second", perSecond(claims.requests))
        .put("claimed_rows", claims.rowsAsked)
        .put("claimed_rows_lost_share", claims.lostShare())
        .put("claims_read_per_second", perSecond(claims.read))
        .put("claims_of_type_hour_max", simulation.claims().largest())
        .put("columns_waited_share", waits.waited / columns)
        .put("wait_ms_max", waits.longestMicros / 1e3)
        .put("directory_records", records)
        .put("directory_writes_per_second", perSecond(buckets.getSum()))
        .put("directory_partition_writes_per_second_max", perSecond(buckets.getMax()))
        .put(
            "directory_node_writes_per_second_max",
            perSecond(LongStream.of(directory.writes()).max().orElse(0)));
  }

  private static long max(List<RowLoad> rows, ToLongFunction<RowLoad> figure) {
    return rows.stream().mapToLong(figure).max().orElse(0);
  }

  private double perSecond(long count) {
    return count / (double) traffic.seconds;
  }
}
