package hourglass.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.Columns;
import hourglass.testing.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameHashesTest {
  private final NameHasher hasher = new NameHasher();

  private static Columns names(long ticks, long... lsbs) {
    long[] all = new long[lsbs.length];
    Arrays.fill(all, ticks);
    return Columns.ofNames(all, lsbs, lsbs.length);
  }

  @Test
  void aNameIsFoundAndItsNeighboursAreNot() {
    NameHashes hashes = NameHashes.ofNames(names(1_000, 5, 6));
    assertThat(hashes.hasName(1_000, 5, hasher)).isTrue();
    assertThat(hashes.hasName(1_000, 6, hasher)).isTrue();
    assertThat(hashes.hasName(1_000, 7, hasher)).isFalse();
    assertThat(hashes.hasName(1_001, 5, hasher)).isFalse();
    assertThat(hashes.hasName(5, 1_000, hasher)).isFalse();
    assertThat(NameHashes.NONE.hasName(1_000, 5, hasher)).isFalse();
  }

  @Test
  void anIdentityIsFoundWithoutItsTime() {
    NameHashes hashes = NameHashes.ofIdentities(List.of(names(1, 5), names(2, 5, 9)));
    assertThat(hashes.size()).isEqualTo(2);
    assertThat(hashes.hasIdentity(5, hasher)).isTrue();
    assertThat(hashes.hasIdentity(9, hasher)).isTrue();
    assertThat(hashes.hasIdentity(1, hasher)).isFalse();
    assertThat(hashes.hasName(1, 5, hasher)).isFalse();
  }

  @Test
  void aUnionHasTheNamesOfAll() {
    Random random = new Random(Seed.next("NameHashesTest"));
    List<Columns> parts =
        random.longs(20, 0, 50).mapToObj(lsb -> names(random.nextInt(4), lsb)).toList();
    NameHashes union = NameHashes.union(parts.stream().map(NameHashes::ofNames).toList());
    for (long ticks = 0; ticks < 4; ticks++) {
      for (long lsb = 0; lsb < 50; lsb++) {
        long t = ticks;
        long l = lsb;
        assertThat(union.hasName(ticks, lsb, hasher))
            .isEqualTo(parts.stream().anyMatch(part -> part.contains(t, l)));
      }
    }
  }

  @Test
  void hashesThatDoNotAscendAreRefused() {
    assertThatThrownBy(() -> new NameHashes(new long[] {2, 2}))
        .hasMessage("hashes of names: number 1 does not ascend");
  }
}
