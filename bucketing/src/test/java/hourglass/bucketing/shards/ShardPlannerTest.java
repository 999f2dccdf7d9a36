package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardPlanner.Assignment;
import hourglass.bucketing.simulation.SharedClaims;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardPlannerTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final TypeHour TYPE_HOUR = new TypeHour(HOUR, "t");
  private static final PlannerOptions NARROW = new PlannerOptions(1_000, 1 << 20, 0);

  private final SharedClaims directory = new SharedClaims();
  private long nowMillis = HOUR.start().toEpochMilli();
  private long clockOffMillis;

  private ShardPlanner planner(String writer, PlannerOptions options) {
    return new ShardPlanner(
        options,
        writer,
        Placement.ONE_PLACE,
        () -> nowMillis + clockOffMillis,
        () -> nowMillis * 1_000_000,
        new Random(writer.hashCode()));
  }

  private void carry(ShardPlanner planner, ClaimRequest request) {
    if (request != null) {
      directory.publish(request);
      planner.onAnswer(request, directory.of(request.typeHour()));
    }
  }

  /** Returns the number of the row of each column. */
  private List<Integer> put(ShardPlanner planner, Hour hour, int columns, int bytesEach) {
    ColumnBatch batch = ColumnBatch.of(columns, bytesEach);
    List<Assignment> assignments = new ArrayList<>();
    planner.record(new TypeHour(hour, "t"), batch);
    int at = planner.assign(new TypeHour(hour, "t"), batch, 0, assignments);
    carry(planner, planner.nextClaim(new TypeHour(hour, "t")));
    for (int tries = 0; at < columns; tries++) {
      assertThat(tries).isLessThan(1_000);
      at = planner.assign(new TypeHour(hour, "t"), batch, at, assignments);
      carry(planner, planner.nextClaim(new TypeHour(hour, "t")));
    }
    return assignments.stream()
        .flatMap(s -> IntStream.range(s.from(), s.to()).mapToObj(i -> s.shard()))
        .toList();
  }

  @Test
  void manyWritersOfAQuietTypeShareOneRow() {
    for (int i = 0; i < 50; i++) {
      ShardPlanner writer = planner("w" + i, PlannerOptions.DEFAULTS);
      assertThat(put(writer, HOUR, 200, 100)).containsOnly(0);
    }
  }

  @Test
  void aFewColumnsAreWrittenWithoutAClaim() {
    assertThat(put(planner("w", PlannerOptions.DEFAULTS), HOUR, 30, 100)).containsOnly(0);
    assertThat(directory.published()).isZero();
  }

  @Test
  void oneWriterFillsOneRowAfterTheOther() {
    List<Integer> shards = put(planner("w", NARROW), HOUR, 5_000, 10);
    assertThat(shards).hasSize(5_000);
    assertThat(shards.stream().distinct().count()).isBetween(5L, 6L);
    for (int shard = 0; shard < 7; shard++) {
      int each = shard;
      assertThat(shards.stream().filter(s -> s == each).count()).isLessThanOrEqualTo(1_000);
    }
  }

  @Test
  void aWriterContinuesTheRowOfAnother() {
    List<Integer> first = put(planner("a", NARROW), HOUR, 100, 10);
    List<Integer> second = put(planner("b", NARROW), HOUR, 100, 10);
    assertThat(first).containsOnly(0);
    assertThat(second).containsOnly(0);
  }

  @Test
  void unclaimedColumnsCountTowardsTheTarget() {
    ClaimRequest there =
        new ClaimRequest(
            TYPE_HOUR,
            List.of(new ShardClaim(0, ShardClaim.NO_WRITER, false, 990, 0)),
            null,
            Capacity.NONE,
            List.of(),
            false);
    directory.publish(there);
    List<Integer> shards = put(planner("w", NARROW), HOUR, 100, 10);
    assertThat(shards.stream().filter(shard -> shard == 0).count()).isLessThanOrEqualTo(110);
    assertThat(shards).contains(1);
  }

  @Test
  void aFewLateEventsOpenNoRowOfTheirOwn() {
    for (int i = 0; i < 50; i++) {
      ShardPlanner writer = planner("w" + i, PlannerOptions.DEFAULTS);
      assertThat(put(writer, new Hour(HOUR.epochHours() - 30), 20, 100)).containsOnly(0);
    }
    assertThat(directory.published()).isZero();
  }

  @Test
  void bytesCountLikeColumns() {
    List<Integer> shards = put(planner("w", NARROW), HOUR, 100, 100_000);
    for (int shard : shards) {
      int each = shard;
      assertThat(shards.stream().filter(s -> s == each).count()).isLessThanOrEqualTo(10);
    }
  }

  @Test
  void anEventLargerThanARowHasARowOfItsOwn() {
    List<Integer> shards = put(planner("w", NARROW), HOUR, 3, 2 << 20);
    assertThat(shards).doesNotHaveDuplicates();
  }

  @Test
  void theDirectoryKeepsClaimsOfEvictedTypeHours() {
    ShardPlanner writer = planner("w", NARROW);
    int inFirstRow = 0;
    for (int i = 0; i < 40; i++) {
      List<Integer> shards = put(writer, HOUR, 50, 10);
      inFirstRow += (int) shards.stream().filter(shard -> shard == 0).count();
      nowMillis += ShardPlanner.IDLE_MILLIS;
      writer.tick(100).forEach(request -> carry(writer, request));
      assertThat(writer.tick(100)).isEmpty();
    }
    assertThat(inFirstRow).isLessThanOrEqualTo(1_000);
  }

  @Test
  void aBusyTypeClaimsRowsAheadOfItsNextHour() {
    ShardPlanner writer = planner("w", NARROW);
    nowMillis = HOUR.end().toEpochMilli() - 30_000;
    for (int i = 0; i < 15; i++) {
      put(writer, HOUR, 1_000, 10);
      nowMillis += 1_000;
    }
    writer.tick(100).forEach(request -> carry(writer, request));
    nowMillis = HOUR.end().toEpochMilli();
    List<Assignment> assignments = new ArrayList<>();
    assertThat(
            writer.assign(
                new TypeHour(HOUR.next(), "t"), ColumnBatch.of(1_000, 10), 0, assignments))
        .isEqualTo(1_000);
    assertThat(assignments.get(0).shard()).isPositive();
  }

  @Test
  void planningContinuesAfterTheClockJumpsAheadAndBack() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    put(writer, HOUR, 50, 10);
    clockOffMillis = 24 * 3_600_000;
    put(writer, HOUR, 50, 10);
    clockOffMillis = 0;
    Set<Integer> rows = new HashSet<>();
    for (int i = 0; i < 120; i++) {
      nowMillis += 10;
      rows.addAll(put(writer, HOUR, 20, 10));
    }
    assertThat(rows).as("a type that got hot").hasSizeGreaterThan(1);
    nowMillis += ShardPlanner.IDLE_MILLIS;
    assertThat(writer.tick(100)).as("and is quiet since").hasSize(1);
  }

  @Test
  void retriesOfAWaitingBatchDoNotRaiseTheRate() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    put(writer, HOUR, 300, 10);
    writer.assign(
        TYPE_HOUR, ColumnBatch.of(5_000, 10), 0, new ArrayList<>()); // all without a claim
    ColumnBatch batch = ColumnBatch.of(300, 10);
    writer.record(TYPE_HOUR, batch);
    List<Assignment> assignments = new ArrayList<>();
    int at = writer.assign(TYPE_HOUR, batch, 0, assignments);
    assertThat(at).isZero();
    for (int i = 0; i < 20; i++) {
      nowMillis += 100;
      ClaimRequest request = writer.nextClaim(TYPE_HOUR);
      assertThat(request).isNotNull();
      writer.onFailure(request);
      at = writer.assign(TYPE_HOUR, batch, at, assignments);
    }
    carry(writer, writer.nextClaim(TYPE_HOUR));
    assertThat(writer.assign(TYPE_HOUR, batch, at, assignments)).isEqualTo(300);
    assertThat(assignments).extracting(Assignment::shard).containsOnly(0);
  }

  @Test
  void onlyEvictedTypesReadTheirClaimsAgain() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    put(writer, HOUR, 10, 10);
    nowMillis += ShardPlanner.IDLE_MILLIS;
    assertThat(writer.tick(100)).as("little was used, and nothing told").isEmpty();
    ColumnBatch batch = ColumnBatch.of(10, 10);
    assertThat(writer.assign(new TypeHour(HOUR, "other"), batch, 0, new ArrayList<>()))
        .isEqualTo(10);
    assertThat(writer.assign(TYPE_HOUR, batch, 0, new ArrayList<>())).isZero();
  }

  @Test
  void aFailedClaimRequestIsRepeated() {
    ShardPlanner writer = planner("w", NARROW);
    List<Assignment> assignments = new ArrayList<>();
    ColumnBatch batch = ColumnBatch.of(100, 10);
    int at = writer.assign(TYPE_HOUR, batch, 0, assignments);
    assertThat(at).isLessThan(100);
    ClaimRequest first = writer.nextClaim(TYPE_HOUR);
    assertThat(first).isNotNull();
    assertThat(writer.nextClaim(TYPE_HOUR)).isNull();
    writer.onFailure(first);
    assertThat(writer.assign(TYPE_HOUR, batch, at, assignments)).isEqualTo(at);
    carry(writer, writer.nextClaim(TYPE_HOUR));
    assertThat(writer.assign(TYPE_HOUR, batch, at, assignments)).isEqualTo(100);
  }

  /** Two batches of three rows each: with a row ahead, seven rows, however often they try. */
  @Test
  void waitingBatchesAreClaimedForOnce() {
    ShardPlanner writer = planner("w", NARROW);
    ColumnBatch batch = ColumnBatch.of(3_000, 10);
    List<Assignment> assignments = new ArrayList<>();
    int first = writer.assign(TYPE_HOUR, batch, 0, assignments);
    ClaimRequest request = writer.nextClaim(TYPE_HOUR);
    int second = writer.assign(TYPE_HOUR, batch, 0, assignments);
    while (first < 3_000 || second < 3_000) {
      carry(writer, request);
      first = writer.assign(TYPE_HOUR, batch, first, assignments);
      second = writer.assign(TYPE_HOUR, batch, second, assignments);
      request = writer.nextClaim(TYPE_HOUR);
    }
    assertThat(writer.rows()).isLessThanOrEqualTo(7);
  }

  @Test
  void releasedCapacityIsReused() {
    ShardPlanner writer = planner("w", NARROW);
    ColumnBatch batch = ColumnBatch.of(400, 10);
    put(writer, HOUR, 300, 10);
    for (int i = 0; i < 100; i++) {
      List<Assignment> assignments = new ArrayList<>();
      int at = writer.assign(TYPE_HOUR, batch, 0, assignments);
      writer.release(TYPE_HOUR, batch, assignments);
      carry(writer, writer.nextClaim(TYPE_HOUR));
      assertThat(at).isPositive();
    }
    assertThat(put(writer, HOUR, 300, 10)).containsAnyOf(0, 1);
  }

  @Test
  void idleTypesAreEvictedAFewAtATime() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    ColumnBatch batch = ColumnBatch.of(50, 10);
    for (int i = 0; i < 100; i++) {
      assertThat(writer.assign(new TypeHour(HOUR, "t" + i), batch, 0, new ArrayList<>()))
          .isEqualTo(50);
      carry(writer, writer.nextClaim(new TypeHour(HOUR, "t" + i)));
    }
    nowMillis += ShardPlanner.IDLE_MILLIS;
    for (int left = 100; left > 0; left -= 20) {
      List<ClaimRequest> requests = writer.tick(20);
      assertThat(requests).hasSize(20);
      requests.forEach(request -> carry(writer, request));
    }
    assertThat(writer.tick(20)).isEmpty();
  }

  /** A year that is filled in has more hours than claims that can be released meanwhile. */
  @Test
  void memoryIsBoundedWithManyIdleTypeHours() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    ColumnBatch batch = ColumnBatch.of(60, 10);
    int more = 1_000;
    for (int i = 0; i < ShardPlanner.TYPE_HOURS_MAX + more; i++) {
      Hour past = new Hour(HOUR.epochHours() - i);
      assertThat(writer.assign(new TypeHour(past, "t"), batch, 0, new ArrayList<>())).isEqualTo(60);
      ClaimRequest request = writer.nextClaim(new TypeHour(past, "t"));
      writer.onAnswer(request, request.claims());
    }
    nowMillis += 10_000;
    assertThat(writer.tick(10)).hasSize(10);
    assertThat(writer.typeHours()).isEqualTo(ShardPlanner.TYPE_HOURS_MAX);
    assertThat(writer.tick(10)).as("others are not idle for long enough").isEmpty();
  }

  @Test
  void silentlyEvictedClaimsAreReadBeforeUse() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    List<Hour> hours = new ArrayList<>();
    for (int i = 0; i <= ShardPlanner.TYPE_HOURS_MAX; i++) {
      hours.add(new Hour(HOUR.epochHours() - i));
      put(writer, hours.get(i), 60, 10);
    }
    nowMillis += 10_000;
    writer.tick(0);
    assertThat(writer.typeHours()).isEqualTo(ShardPlanner.TYPE_HOURS_MAX);
    ColumnBatch batch = ColumnBatch.of(10, 10);
    long looked =
        hours.stream()
            .filter(
                hour -> writer.assign(new TypeHour(hour, "t"), batch, 0, new ArrayList<>()) == 0)
            .count();
    assertThat(looked).isEqualTo(1);
  }

  @Test
  void repeatedlyRefusedWritesDoNotMakeATypeHot() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    put(writer, HOUR, 1_000, 10);
    ColumnBatch batch = ColumnBatch.of(100, 10);
    for (int i = 0; i < 500; i++) {
      nowMillis += 10;
      List<Assignment> assignments = new ArrayList<>();
      long came = writer.record(TYPE_HOUR, batch);
      writer.assign(TYPE_HOUR, batch, 0, assignments);
      carry(writer, writer.nextClaim(TYPE_HOUR));
      writer.recordFailure(TYPE_HOUR, batch, came);
      writer.release(TYPE_HOUR, batch, assignments);
    }
    assertThat(put(writer, HOUR, 100, 10)).containsOnly(0);
  }

  /**
   * Each of ten clients repeats its batch after each failure, every two seconds: half of the
   * apparent rate would be hot.
   */
  @Test
  void lateFailuresAndRetriesDoNotMakeATypeHot() {
    ShardPlanner writer = planner("w", PlannerOptions.DEFAULTS);
    put(writer, HOUR, 1_000, 10);
    ColumnBatch batch = ColumnBatch.of(50, 10);
    Deque<Long> underWay = new ArrayDeque<>();
    for (int i = 0; i < 500; i++) {
      nowMillis += 200;
      underWay.add(writer.record(TYPE_HOUR, batch));
      writer.assign(TYPE_HOUR, batch, 0, new ArrayList<>());
      ClaimRequest request = writer.nextClaim(TYPE_HOUR);
      if (request != null) {
        writer.onFailure(request);
      }
      if (underWay.size() > 10) {
        writer.recordFailure(TYPE_HOUR, batch, underWay.remove());
      }
    }
    underWay.forEach(came -> writer.recordFailure(TYPE_HOUR, batch, came));
    nowMillis += 2_000;
    assertThat(put(writer, HOUR, 5_000, 10)).as("a burst").containsOnly(0);
  }

  @Test
  void failedClaimsRequestTheSameRowsAgain() {
    ShardPlanner planner = planner("w", NARROW);
    Set<Integer> asked = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      planner.assign(TYPE_HOUR, ColumnBatch.of(5_000, 100), 0, new ArrayList<>());
      ClaimRequest request = planner.nextClaim(TYPE_HOUR);
      request.claims().forEach(claim -> asked.add(claim.shard()));
      planner.onFailure(request);
    }
    assertThat(asked).hasSizeLessThan(2_000); // at most 1,024 at once
  }

  @Test
  void writesDuringAnEvictionGetARow() {
    ShardPlanner planner = planner("w", NARROW);
    put(planner, HOUR, 300, 100);
    nowMillis += 11 * 60_000;
    List<ClaimRequest> last = planner.tick(100);
    assertThat(last).hasSize(1);
    List<Assignment> assignments = new ArrayList<>();
    ColumnBatch late = ColumnBatch.of(10, 100);
    int at = planner.assign(TYPE_HOUR, late, 0, assignments);
    assertThat(planner.nextClaim(TYPE_HOUR)).as("one is under way").isNull();
    last.forEach(request -> carry(planner, request));
    carry(planner, planner.nextClaim(TYPE_HOUR));
    assertThat(planner.assign(TYPE_HOUR, late, at, assignments)).isEqualTo(10);
  }
}
