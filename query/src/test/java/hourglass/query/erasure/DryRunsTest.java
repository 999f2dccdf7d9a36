package hourglass.query.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.bucketing.TimeUuid;
import hourglass.query.Selection;
import hourglass.query.erasure.TokenException.Why;
import hourglass.store.testkit.TestClock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DryRunsTest {
  private static final ErasureRequest REQUEST =
      new ErasureRequest(List.of(Selection.ALL), List.of(), "");

  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:00:00Z"));
  private final DryRuns dryRuns = new DryRuns(clock);

  private Why refusal(String client, String token) {
    return catchThrowableOfType(TokenException.class, () -> dryRuns.take(client, token)).why();
  }

  @Test
  void expiredOnesAreForgottenForANewOneOfAnyClient() {
    String first = dryRuns.add("ada", REQUEST, 1);
    clock.pass(DryRuns.VALID);
    assertThat(refusal("ada", first)).isEqualTo(Why.EXPIRED);
    String second = dryRuns.add("bob", REQUEST, 1);
    assertThat(refusal("ada", first)).isEqualTo(Why.UNKNOWN);
    assertThat(dryRuns.take("bob", second).request()).isEqualTo(REQUEST);
  }

  /** A client that lost the answer of an erasure may ask late. */
  @Test
  void usedOnesAreKept() {
    String token = dryRuns.add("ada", REQUEST, 1);
    DryRuns.Taken taken = dryRuns.take("ada", token);
    dryRuns.begins(taken, TimeUuid.first(7));
    dryRuns.use(taken);
    clock.pass(DryRuns.VALID);
    dryRuns.add("bob", REQUEST, 1);
    assertThat(refusal("ada", token)).isEqualTo(Why.USED);
  }

  @Test
  void oneClientCannotTakeTheRoomOfOthers() {
    String others = dryRuns.add("bob", REQUEST, 1);
    for (int i = 0; i < 1_000; i++) {
      dryRuns.add("ada", REQUEST, 1);
    }
    assertThat(dryRuns.take("bob", others).events()).isEqualTo(1);
  }
}
