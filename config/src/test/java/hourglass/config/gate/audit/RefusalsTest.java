package hourglass.config.gate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final AuditEvent EVENT = AuditEvent.of("refused");

  private final AtomicLong now = new AtomicLong();
  private final Refusals refusals = new Refusals(now::get);

  @Test
  void theFirstIsReportedAtOnceAndTheOthersEachMinute() {
    assertThat(refusals.add("ada", "no key", EVENT)).isEqualTo(EVENT.with("count", 1));
    assertThat(refusals.add("ada", "no key", EVENT.with("request", "r2"))).isNull();
    assertThat(refusals.add("ada", "no key", EVENT.with("request", "r3"))).isNull();
    assertThat(refusals.due()).isEmpty();
    now.addAndGet(60 * SECOND);
    assertThat(refusals.due()).containsExactly(EVENT.with("request", "r3").with("count", 2L));
    assertThat(refusals.add("ada", "no key", EVENT)).isNull();
    assertThat(refusals.due()).isEmpty();
    now.addAndGet(60 * SECOND);
    assertThat(refusals.due()).containsExactly(EVENT.with("count", 1L));
  }

  @Test
  void aClientQuietForAMinuteIsReportedAtOnceAgain() {
    refusals.add("ada", "no key", EVENT);
    now.addAndGet(60 * SECOND);
    assertThat(refusals.due()).isEmpty();
    assertThat(refusals.add("ada", "no key", EVENT)).isNotNull();
  }

  @Test
  void clientsAndReasonsAreCountedSeparately() {
    refusals.add("ada", "no key", EVENT);
    assertThat(refusals.add("bob", "no key", EVENT)).isNotNull();
    assertThat(refusals.add("ada", "host", EVENT)).isNotNull();
  }

  @Test
  void theRestIsReportedAtTheEnd() {
    refusals.add("ada", "no key", EVENT);
    assertThat(refusals.rest()).isEmpty();
    refusals.add("ada", "no key", EVENT);
    refusals.add("ada", "no key", EVENT);
    assertThat(refusals.rest()).containsExactly(EVENT.with("count", 1L));
  }

  /** A flood from all existing addresses costs a bounded number of lines a minute. */
  @Test
  void beyondTheBoundAllAreCountedTogether() {
    long told = 0;
    for (int i = 0; i < 3 * Refusals.KINDS_MAX; i++) {
      told += refusals.add("address " + i, "no key", EVENT) == null ? 0 : 1;
    }
    assertThat(told).isEqualTo(Refusals.KINDS_MAX + 1);
    now.addAndGet(60 * SECOND);
    assertThat(refusals.due())
        .containsExactly(
            EVENT.with("count", 2L * Refusals.KINDS_MAX - 1).with("clients", "others"));
  }
}
