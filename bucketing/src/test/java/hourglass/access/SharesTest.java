package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharesTest {
  private final Map<String, Long> idle = new HashMap<>();
  private final Shares<String> shares =
      new Shares<>(4, held -> idle.getOrDefault(held, 0L), 10_000);

  private void fill(String client, String... held) {
    for (String one : held) {
      assertThat(shares.add(client, one)).isEmpty();
    }
  }

  @Test
  void oneClientAloneMayHaveAll() {
    fill("a", "1", "2", "3", "4");
    assertThat(shares.add("a", "5")).contains("5");
    assertThat(shares.size()).isEqualTo(4);
  }

  @Test
  void anotherGetsOneOfTheLargestShare() {
    fill("a", "1", "2", "3");
    fill("b", "4");
    assertThat(shares.add("c", "5")).as("the oldest where all are in use").contains("1");
    assertThat(shares.all()).containsExactlyInAnyOrder("2", "3", "4", "5");
    assertThat(shares.add("c", "6")).as("as many as a would have left").contains("6");
  }

  @Test
  void whatIsIdleLongestLeavesFirst() {
    fill("a", "1", "2", "3", "4");
    idle.put("2", 5L);
    idle.put("3", 7L);
    assertThat(shares.add("b", "5")).contains("3");
    assertThat(shares.add("b", "6")).contains("2");
    assertThat(shares.add("b", "7")).as("both have two").contains("7");
    assertThat(shares.size("a")).isEqualTo(2);
  }

  @Test
  void aClientMayReplaceItsOwnThatIsIdleForLong() {
    fill("a", "1", "2", "3", "4");
    idle.put("2", 9_999L);
    assertThat(shares.add("a", "5")).contains("5");
    idle.put("2", 10_000L);
    assertThat(shares.add("a", "5")).contains("2");
  }

  @Test
  void clientsWithOneEachKeepWhatIsIdle() {
    fillByFour(shares);
    idle.put("2", 20_000L);
    assertThat(shares.add("e", "5")).contains("5");
  }

  @Test
  void aNewcomerMayReplaceWhatIsIdleLongest() {
    Shares<String> replacing = new Shares<>(4, held -> idle.getOrDefault(held, 0L), 10_000, true);
    fillByFour(replacing);
    idle.put("2", 9_999L);
    assertThat(replacing.add("e", "5")).contains("5");
    idle.put("2", 10_000L);
    idle.put("3", 10_001L);
    assertThat(replacing.add("a", "6")).as("a has no fewer").contains("6");
    assertThat(replacing.add("e", "7")).contains("3");
    assertThat(replacing.all()).containsExactlyInAnyOrder("1", "2", "4", "7");
  }

  private static void fillByFour(Shares<String> shares) {
    assertThat(shares.add("a", "1")).isEmpty();
    assertThat(shares.add("b", "2")).isEmpty();
    assertThat(shares.add("c", "3")).isEmpty();
    assertThat(shares.add("d", "4")).isEmpty();
  }

  @Test
  void whatEndedLeavesItsPlace() {
    fill("a", "1", "2", "3", "4");
    shares.remove("4");
    shares.remove("4");
    shares.remove("none");
    fill("b", "5");
    assertThat(shares.size("b")).isEqualTo(1);
    shares.remove("5");
    assertThat(shares.size("b")).isZero();
  }
}
