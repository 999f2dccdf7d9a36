package hourglass.load.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.load.command.LoadFailure;
import hourglass.load.event.EventKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DigestTest {
  /** The answers of XXH64 with seed 0 are known. */
  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1"
  })
  void agreesWithXxhash(String text, String digest) {
    byte[] bytes = ("  " + text).getBytes(StandardCharsets.US_ASCII);
    assertThat(Long.toHexString(EventKeys.digest(bytes, 2, bytes.length))).isEqualTo(digest);
  }

  @Test
  void sortingAgreesWithAList() {
    long seed = 20261121;
    Random random = new Random(seed);
    DigestTable table = new DigestTable(1 << 20);
    List<long[]> model = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      long key = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong();
      long payload = random.nextInt(5);
      table.add(key, payload);
      model.add(new long[] {key, payload});
    }
    table.sort();
    Collections.sort(
        model,
        Comparator.<long[]>comparingLong(pair -> pair[0]).thenComparingLong(pair -> pair[1]));
    for (int i = 0; i < model.size(); i++) {
      assertThat(table.key(i)).as("seed %d, %d", seed, i).isEqualTo(model.get(i)[0]);
      assertThat(table.payload(i)).as("seed %d, %d", seed, i).isEqualTo(model.get(i)[1]);
    }
  }

  @Test
  void digestsBeyondHeapAreRefused() {
    DigestTable table = new DigestTable(5000);
    for (int i = 0; i < 5000; i++) {
      table.add(i, i);
    }
    assertThatThrownBy(() -> table.add(1, 1))
        .isInstanceOf(LoadFailure.class)
        .hasMessageContaining("-Xmx");
  }
}
