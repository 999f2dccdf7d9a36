package hourglass.config.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShopTrafficTest {
  private static final Instant BEGIN = Instant.parse("2026-11-20T08:00:00Z");

  private final ShopTraffic traffic = new ShopTraffic(1, BEGIN);

  /** Returns as many events as that minute of a demo contains. */
  private List<String> minute(int minute) {
    StringBuilder lines = new StringBuilder();
    double owed = 0;
    for (int second = 0; second < 60; second++) {
      Instant time = BEGIN.plusSeconds(60L * minute + second);
      for (owed += 25 * traffic.rate(time); owed >= 1; owed--) {
        traffic.append(lines, time);
      }
    }
    return lines.toString().lines().toList();
  }

  private static long count(List<String> lines, String... texts) {
    return lines.stream().filter(line -> List.of(texts).stream().allMatch(line::contains)).count();
  }

  @Test
  void eachStoryHasOneDeployAndOneRollback() {
    minute(40);
    List<String> deploy = minute(ShopTraffic.DEPLOY);
    assertThat(deploy.get(0))
        .contains("\"type\":\"deploy\"", "\"service\":\"payments\"", "\"version\":\"2.8.0\"");
    assertThat(count(deploy, "\"deploy\"")).isOne();
    assertThat(count(minute(50), "\"deploy\"")).isZero();
    List<String> rollback = minute(ShopTraffic.ROLLBACK);
    assertThat(rollback.get(0)).contains("\"type\":\"deploy\"", "\"version\":\"2.7.4\"");
    assertThat(count(rollback, "\"deploy\"")).isOne();
    assertThat(count(minute(ShopTraffic.STORY_MINUTES + ShopTraffic.DEPLOY), "\"deploy\""))
        .as("told again in the next hour, and nothing in between is forgotten")
        .isOne();
  }

  @Test
  void paymentsFailBetweenDeployAndRollback() {
    assertThat(count(minute(40), "\"status\":502", "/pay")).isZero();
    List<String> broken = minute(50);
    assertThat(count(broken, "\"status\":502", "/pay")).isGreaterThan(100);
    long failed = count(broken, "\"payment\"", "\"ok\":false", "\"pay-2\"");
    assertThat(failed).isGreaterThan(count(broken, "\"payment\"", "\"pay-2\"") / 2);
    assertThat(count(broken, "\"payment\"", "\"2.8.0\"", "\"pay-1\"")).isZero();
    assertThat(count(minute(58), "\"payment\"", "\"ok\":true", "\"pay-2\"")).isPositive();
  }

  @Test
  void crawlerFloodsTheSearch() {
    long usual = count(minute(10), "\"search\"");
    assertThat(count(minute(ShopTraffic.CRAWL), "\"search\"")).isGreaterThan(3 * usual);
    assertThat(count(minute(ShopTraffic.CRAWL + 1), "\"s-crawler\"")).isGreaterThan(usual);
    assertThat(count(minute(ShopTraffic.CRAWL_END), "\"s-crawler\"")).isZero();
  }

  @Test
  void sameSeedGivesTheSameEvents() {
    ShopTraffic again = new ShopTraffic(1, BEGIN);
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    traffic.append(first, BEGIN);
    again.append(second, BEGIN);
    assertThat(second).hasToString(first.toString());
  }
}
