package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Assignment;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.load.lab.SimulateCommand.Traffic;
import hourglass.load.lab.ring.Ring;
import hourglass.load.send.EventShape;
import hourglass.load.send.Zipf;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a ring with many writers, in which events are only counted. Requests reach the writers
 * in turn, each with events of some types. Time and chance are simulated, so the same arguments
 * produce the same figures. For one run.
 */
final class ClusterSimulation {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  /**
   * The time from a claim until it is durable, and again from there until the claims of all writers
   * were read.
   */
  private static final long HOP_MICROS = 5_000;

  private static final long SECOND_MICROS = 1_000_000;
  private static final int TICK_SECONDS = 2;
  private static final int TICK_REQUESTS_MAX = 1_000;

  private static final class Row {
    final int[] nodes;
    final int[] directoryNodes;
    final int bucket;
    final boolean isMeasured;
    long columns;
    long second;
    long inSecond;

    Row(RowKey key, Ring ring, boolean isMeasured) {
      nodes = ring.replicas(key.toString());
      directoryNodes = ring.replicas(DirectoryRecord.partition(key));
      bucket = DirectoryRecord.bucket(key);
      this.isMeasured = isMeasured;
    }
  }

  /** A row and the record that one writer keeps of it. */
  private record Part(Row row, DirectoryRecord record) {}

  private record Batch(TypeHour typeHour, ColumnBatch columns, int from, long atMicros) {}

  /** A claim request, and the time at which it reaches its next hop. */
  private record Claim(Writer writer, ClaimRequest request, long dueMicros) {}

  private final class Writer {
    final ShardPlanner planner;
    final Map<TypeHour, List<Batch>> waiting = new HashMap<>();
    final Map<RowKey, Part> parts = new HashMap<>();
    final List<Part> inexact = new ArrayList<>();

    Writer(ShardPlanner planner) {
      this.planner = planner;
    }

    void push(TypeHour typeHour, int columns) {
      ColumnBatch batch = ColumnBatch.of(columns, traffic.bytes);
      planner.record(typeHour, batch);
      place(new Batch(typeHour, batch, 0, nowMicros));
      carry(planner.nextClaim(typeHour));
    }

    private void place(Batch batch) {
      assignments.clear();
      int to = planner.assign(batch.typeHour, batch.columns, batch.from, assignments);
      for (Assignment each : assignments) {
        RowKey row = batch.typeHour.row(each.shard());
        write(parts.computeIfAbsent(row, ClusterSimulation.this::part), each.to() - each.from());
      }
      if (to < batch.columns.columns()) {
        waiting
            .computeIfAbsent(batch.typeHour, added -> new ArrayList<>())
            .add(new Batch(batch.typeHour, batch.columns, to, batch.atMicros));
      }
      if (nowMicros > batch.atMicros && second() >= 0) {
        waited += to - batch.from;
        longestWaitMicros = Math.max(longestWaitMicros, nowMicros - batch.atMicros);
      }
    }

    private void write(Part part, int columns) {
      Row row = part.row;
      long bytes = (long) columns * traffic.bytes;
      row.columns += columns;
      if (row.second != second()) {
        row.second = second();
        row.inSecond = 0;
      }
      row.inSecond += columns;
      if (second() >= 0) {
        rowPerSecondMax = Math.max(rowPerSecondMax, row.inSecond);
        writes++;
        events.add(second(), row.nodes, columns, bytes);
      }
      if (part.record.isExact()) {
        inexact.add(part);
      }
      if (part.record.add(columns, bytes, nowMicros)) {
        publish(row);
      }
    }

    void publishDue() {
      inexact.removeIf(
          part -> {
            if (part.record.check(nowMicros)) {
              publish(part.row);
            }
            return part.record.isExact();
          });
    }

    void carry(@Nullable ClaimRequest request) {
      if (request != null) {
        sent.add(new Claim(this, request, nowMicros + HOP_MICROS));
      }
    }

    void onAnswer(ClaimRequest request) {
      List<ShardClaim> all = claims.of(request.typeHour());
      if (second() >= 0) {
        claimRequests++;
        claimsRead += all.size();
        count(request, all);
      }
      planner.onAnswer(request, all);
      List<Batch> again = waiting.remove(request.typeHour());
      if (again != null) {
        again.forEach(this::place);
        carry(planner.nextClaim(request.typeHour()));
      }
    }
  }

  private final Ring ring;
  private final Traffic traffic;
  private final long targetColumns;
  private final SplittableRandom random;
  private final List<Writer> writers = new ArrayList<>();
  private final Map<RowKey, Row> rows = new HashMap<>();
  private final SharedClaims claims = new SharedClaims();
  private final Queue<Claim> sent = new ArrayDeque<>();
  private final Queue<Claim> published = new ArrayDeque<>();
  private final List<Assignment> assignments = new ArrayList<>();
  private final NodeLoads events;
  private final NodeLoads directory;
  private final long[] publicationsByBucket = new long[DirectoryRecord.BUCKETS];

  /** The time since the beginning of the hour. */
  private long nowMicros;

  private long writes;
  private long rowPerSecondMax;
  private long waited;
  private long longestWaitMicros;
  private long claimRequests;
  private long claimsRead;
  private long rowsAsked;
  private long rowsLost;

  ClusterSimulation(
      Ring ring, PlannerOptions options, int writerCount, Traffic traffic, long seed) {
    this.ring = ring;
    this.traffic = traffic;
    targetColumns = Math.min(options.targetColumns(), options.targetBytes() / traffic.bytes);
    events = new NodeLoads(ring.nodes(), 1);
    directory = new NodeLoads(ring.nodes(), 1);
    random = new SplittableRandom(seed);
    long startMillis = HOUR.start().toEpochMilli();
    for (int i = 1; i <= writerCount; i++) {
      writers.add(
          new Writer(
              new ShardPlanner(
                  options,
                  "writer " + i,
                  row ->
                      IntStream.of(ring.replicas(row.toString()))
                          .mapToObj(Integer::toString)
                          .toList(),
                  () -> startMillis + Math.floorDiv(nowMicros, 1_000),
                  () -> startMillis * 1_000_000 + nowMicros * 1_000,
                  random.split())));
    }
  }

  private int second() {
    return (int) Math.floorDiv(nowMicros, SECOND_MICROS);
  }

  private Part part(RowKey key) {
    boolean isMeasured = key.hour().equals(HOUR);
    return new Part(
        rows.computeIfAbsent(key, added -> new Row(added, ring, isMeasured)),
        new DirectoryRecord());
  }

  private void publish(Row row) {
    if (second() >= 0) {
      directory.add(second(), row.directoryNodes, 1, 0);
      publicationsByBucket[row.bucket]++;
    }
  }

  /**
   * Counts the rows that a request claimed for its writer alone, and those of them that other
   * writers had claimed.
   */
  private void count(ClaimRequest request, List<ShardClaim> all) {
    BitSet asked = new BitSet();
    String writer = "";
    for (ShardClaim claim : request.claims()) {
      writer = claim.writer();
      asked.set(claim.shard(), claim.sole() && claim.columns() > 0);
    }
    BitSet lost = new BitSet();
    for (ShardClaim claim : all) {
      if (claim.columns() > 0 && asked.get(claim.shard()) && !claim.writer().equals(writer)) {
        lost.set(claim.shard());
      }
    }
    rowsAsked += asked.cardinality();
    rowsLost += lost.cardinality();
  }

  void run() {
    Zipf zipf = new Zipf(traffic.types, traffic.skew);
    List<String> names = EventShape.typeNames(traffic.types);
    double stepMicros = traffic.batch / traffic.rate * SECOND_MICROS;
    long requests = (long) ((traffic.warmUp + traffic.seconds) * 1e6 / stepMicros);
    int second = -traffic.warmUp;
    for (long number = 0; number < requests; number++) {
      long atMicros = (long) (number * stepMicros) - traffic.warmUp * SECOND_MICROS;
      answerClaims(atMicros);
      nowMicros = atMicros;
      while (second < second()) {
        housekeeping(++second);
      }
      Writer writer = writers.get((int) (number % writers.size()));
      Hour of = atMicros < 0 ? HOUR.previous() : HOUR;
      int[] drawn = new int[traffic.typesInRequest];
      Arrays.setAll(drawn, i -> zipf.draw(random));
      Arrays.sort(drawn);
      int from = 0;
      for (int to = 1; to <= drawn.length; to++) {
        if (to == drawn.length || drawn[to] != drawn[from]) {
          int columns =
              Math.max(1, (int) ((long) traffic.batch * (to - from) / traffic.typesInRequest));
          writer.push(new TypeHour(of, names.get(drawn[from])), columns);
          from = to;
        }
      }
    }
    events.end();
    directory.end();
  }

  private void housekeeping(int second) {
    writers.forEach(Writer::publishDue);
    if (second % TICK_SECONDS == 0) {
      writers.forEach(each -> each.planner.tick(TICK_REQUESTS_MAX).forEach(each::carry));
    }
  }

  /**
   * Handles the claims that are due. A claim is published one hop after it was sent, and answered
   * after another hop.
   */
  private void answerClaims(long untilMicros) {
    while (true) {
      Claim toPublish = sent.peek();
      Claim toAnswer = published.peek();
      boolean isAnswer =
          toAnswer != null && (toPublish == null || toAnswer.dueMicros <= toPublish.dueMicros);
      Claim next = isAnswer ? toAnswer : toPublish;
      if (next == null || next.dueMicros > untilMicros) {
        return;
      }
      nowMicros = next.dueMicros;
      if (isAnswer) {
        published.remove();
        next.writer.onAnswer(next.request);
      } else {
        sent.remove();
        claims.publish(next.request);
        published.add(new Claim(next.writer, next.request, nowMicros + HOP_MICROS));
      }
    }
  }

  JsonObject figures() {
    List<Row> measured = rows.values().stream().filter(row -> row.isMeasured).toList();
    long records =
        writers.stream()
            .flatMap(writer -> writer.parts.keySet().stream())
            .filter(row -> row.hour().equals(HOUR))
            .count();
    double columns = LongStream.of(events.writes).sum() / (double) ring.replicas("").length;
    LongSummaryStatistics buckets = LongStream.of(publicationsByBucket).summaryStatistics();
    return new JsonObject()
        .put("columns", columns)
        .put("columns_a_write", columns / writes)
        .put("writes_per_second", perSecond(writes))
        .put("node_max_over_mean", NodeLoads.maxOverMean(events.writes))
        .put("node_max_over_mean_worst_second", events.worstSecond)
        .put("worst_second_at", events.worstSecondAt)
        .put("node_columns", LongStream.of(events.writes).boxed().toList())
        .put("rows", measured.size())
        .put("rows_over_target", measured.stream().filter(r -> r.columns > targetColumns).count())
        .put("row_columns_max", measured.stream().mapToLong(row -> row.columns).max().orElse(0))
        .put("row_columns_target", targetColumns)
        .put("row_columns_per_second_max", rowPerSecondMax)
        .put("claim_requests_per_second", perSecond(claimRequests))
        .put("claimed_rows", rowsAsked)
        .put("claimed_rows_lost_share", (double) rowsLost / Math.max(1, rowsAsked))
        .put("claims_read_per_second", perSecond(claimsRead))
        .put("claims_of_type_hour_max", claims.largest())
        .put("columns_waited_share", waited / columns)
        .put("wait_ms_max", longestWaitMicros / 1e3)
        .put("directory_records", records)
        .put("directory_writes_per_second", perSecond(buckets.getSum()))
        .put("directory_partition_writes_per_second_max", perSecond(buckets.getMax()))
        .put(
            "directory_node_writes_per_second_max",
            perSecond(LongStream.of(directory.writes).max().orElse(0)));
  }

  private double perSecond(long count) {
    return count / (double) traffic.seconds;
  }
}
