package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.testing.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NameRangesTest {
  private static final long START = Ticks.of(Instant.parse("2026-11-20T08:00:00Z"));

  @Test
  void setsWithASharedNameAreNeverDisjoint() {
    Random random = Seed.random(this);
    int disjoint = 0;
    for (int round = 0; round < 2_000; round++) {
      List<Set<Long>> sets = new ArrayList<>();
      List<NameRanges> ranges = new ArrayList<>();
      for (int n = 2 + random.nextInt(5); n > 0; n--) {
        Set<Long> lsbs = new HashSet<>();
        List<NameRanges> parts = new ArrayList<>();
        for (int part = 1 + random.nextInt(3); part > 0; part--) {
          Set<Long> some = lsbs(random);
          parts.add(NameRanges.of(columns(some)));
          lsbs.addAll(some);
        }
        sets.add(lsbs);
        ranges.add(NameRanges.union(parts, 1 + random.nextInt(8)));
      }
      BitSet sharing = NameRanges.sharing(ranges);
      for (int a = 0; a < sets.size(); a++) {
        for (int b = 0; b < a; b++) {
          Set<Long> both = new HashSet<>(sets.get(a));
          both.retainAll(sets.get(b));
          assertThat(both.isEmpty() || sharing.get(a) && sharing.get(b)).isTrue();
          List<NameRanges> pair = List.of(ranges.get(a), ranges.get(b));
          assertThat(ranges.get(a).mayShareWith(ranges.get(b)))
              .isEqualTo(!NameRanges.sharing(pair).isEmpty());
        }
      }
      disjoint += sets.size() - sharing.cardinality();
    }
    assertThat(disjoint).isGreaterThan(100);
  }

  private static Set<Long> lsbs(Random random) {
    Set<Long> lsbs = new HashSet<>();
    boolean hashed = random.nextInt(4) == 0;
    long start = random.nextInt(20_000);
    for (int i = random.nextInt(60); i >= 0; i--) {
      start += random.nextInt(20) == 0 ? random.nextInt(3_000) : 1 + random.nextInt(4);
      lsbs.add(hashed ? random.nextLong() : TimeUuidGenerator.lsb(start));
    }
    return lsbs;
  }

  @Test
  void pushesSplitOverPartsAreDisjoint() {
    Set<Long> even = new HashSet<>();
    Set<Long> odd = new HashSet<>();
    for (int number = 0; number < 10_000; number += 5) { // a fifth of the events has this type
      (number / 1_000 % 2 == 0 ? even : odd).add(TimeUuidGenerator.lsb(number));
    }
    assertThat(NameRanges.sharing(rangesOf(even, odd))).isEqualTo(new BitSet());
  }

  @Test
  void randomHashesFormOneRange() {
    Random random = Seed.random(this);
    Set<Long> hashes = new HashSet<>();
    random.longs(2_000).forEach(hashes::add);
    assertThat(NameRanges.of(columns(hashes)).bounds()).hasSize(2);
  }

  @Test
  void generatedNamesAreRecognized() {
    Set<Long> generated = Set.of(TimeUuidGenerator.lsb(0), TimeUuidGenerator.lsb(-1));
    assertThat(NameRanges.of(columns(generated)).areGenerated()).isTrue();
    long position = Identity.position(0, 0);
    long offset = Identity.offset(0, 0);
    for (long other : new long[] {position, offset, 0, -1, Long.MAX_VALUE}) {
      Set<Long> mixed = Set.of(TimeUuidGenerator.lsb(7), other);
      assertThat(NameRanges.of(columns(mixed)).areGenerated()).isFalse();
    }
  }

  @Test
  void anUnknownSetMayShareNamesWithAnyOther() {
    List<NameRanges> some = new ArrayList<>(rangesOf(Set.of(1L), Set.of(2L)));
    some.add(null);
    assertThat(NameRanges.sharing(some).cardinality()).isEqualTo(3);
  }

  private static List<NameRanges> rangesOf(Set<Long> a, Set<Long> b) {
    return List.of(NameRanges.of(columns(a)), NameRanges.of(columns(b)));
  }

  /** Returns columns in an order of time that differs from that of the lower halves. */
  private static Columns columns(Set<Long> lsbs) {
    ColumnsBuilder columns = new ColumnsBuilder(lsbs.size(), 0);
    long ticks = START;
    for (long lsb : lsbs) {
      columns.add(new TimeUuid(ticks++, lsb).ticks(), lsb, new byte[0], 0, 0);
    }
    return columns.build();
  }
}
