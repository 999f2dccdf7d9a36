package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class QuotaTest {
  private static final Limits LIMITS = new Limits(10, 1_000, 2, 1, 1, 6_000);

  private final AtomicLong now = new AtomicLong();
  private final List<String> refused = new ArrayList<>();
  private final Quotas quotas = new Quotas(LIMITS, now::get, refused::add);
  private final Quota quota = quotas.of("ada", Limits.NONE);

  @Test
  void aRefusalNamesTheLimitAndTheWait() {
    quota.takeEvents(10);
    LimitExceededException refused = refusal(() -> quota.takeEvents(5));
    assertThat(refused.limit()).isEqualTo("events-per-second");
    assertThat(refused.retryAfterSeconds()).isEqualTo(1);
    assertThat(refused)
        .hasMessage("limits.events-per-second = 10: this client is above it; try again in 1 s");
    quota.oweEvents(25);
    assertThat(refusal(() -> quota.takeEvents(1)).retryAfterSeconds()).isEqualTo(3);
    assertThat(this.refused).containsExactly("events-per-second", "events-per-second");
  }

  @Test
  void aPushSlightlyAboveItsRateIsDelayed() {
    quota.takeEvents(9);
    assertThat(quota.reserveEvents(1)).isZero();
    assertThat(quota.reserveEvents(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(quota.reserveEvents(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    quota.checkEvents(-1);
    LimitExceededException refused = refusal(() -> quota.reserveEvents(1));
    assertThat(refused.limit()).isEqualTo("events-per-second");
    assertThat(refused.retryAfterSeconds()).isEqualTo(1);
    assertThat(refusal(() -> quota.takeEvents(1)).limit()).isEqualTo("events-per-second");
    quota.oweEvents(1);
    assertThat(refusal(() -> quota.checkEvents(-1)).limit()).isEqualTo("events-per-second");
    quota.takeBytes(1_000);
    assertThat(quota.reserveBytes(250)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    assertThat(refusal(() -> quota.reserveBytes(1)).limit()).isEqualTo("bytes-per-second");
    after(1);
    assertThat(quota.reserveEvents(7)).isZero();
    assertThat(quota.reserveBytes(750)).isZero();
  }

  @Test
  void eventsOfABodyAreEstimatedFromEarlierBodies() {
    quota.takeEvents(10);
    quota.checkEvents(1_000_000); // nothing is known yet
    quota.stored(10, 1_000);
    quota.checkEvents(-1);
    quota.checkEvents(299);
    LimitExceededException refused = refusal(() -> quota.checkEvents(300));
    assertThat(refused.limit()).isEqualTo("events-per-second");
    quota.stored(1_000, 1_000); // packed better: the guess rises slowly
    quota.checkEvents(272);
    refusal(() -> quota.checkEvents(273));
    refusal(() -> quota.checkEvents(273));
    quota.checkEvents(273); // the guess may be wrong
    quota.stored(1, 1_000);
    quota.checkEvents(2_000);
    after(1);
    quota.checkEvents(1_000_000); // a full bucket lets everything pass
    assertThat(this.refused).hasSize(3);
  }

  @Test
  void bytesBeyondTheLimitAreRefusedOrOwed() {
    quota.takeBytes(2_000);
    assertThat(refusal(() -> quota.takeBytes(1)).limit()).isEqualTo("bytes-per-second");
    after(2);
    quota.oweBytes(3_000);
    assertThat(refusal(() -> quota.takeBytes(0)).retryAfterSeconds()).isEqualTo(2);
  }

  @Test
  void aQueryCountsAsARequest() {
    Quota.Turn query = quota.query();
    assertThat(refusal(quota::query).limit()).isEqualTo("queries");
    Quota.Turn push = quota.push();
    assertThat(refusal(quota::push).limit()).isEqualTo("requests");
    query.close();
    query.close();
    push.close();
    quota.query();
    quota.push();
    assertThatThrownBy(quota::push).isInstanceOf(LimitExceededException.class);
  }

  @Test
  void aTailHasItsOwnLimit() {
    Quota.Turn tail = quota.tail();
    assertThat(refusal(quota::tail).limit()).isEqualTo("tails");
    quota.push();
    quota.query();
    tail.close();
    quota.tail();
  }

  @Test
  void theNextQueryOwesTheBytesAlreadyRead() {
    quota.read(6_000);
    quota.query().close();
    quota.read(100);
    LimitExceededException refused = refusal(quota::query);
    assertThat(refused.limit()).isEqualTo("read-bytes-per-minute");
    assertThat(refused.retryAfterSeconds()).isEqualTo(1);
    assertThat(refusal(quota::tail).limit()).isEqualTo("read-bytes-per-minute");
    after(1);
    quota.query();
  }

  @Test
  void aKeyMayHaveItsOwnLimits() {
    Limits own = new Limits(1_000, 0, 0, 0, 0, 0);
    Quota ofKey = quotas.of("batch", own);
    ofKey.takeEvents(1_000);
    ofKey.takeBytes(1_000);
    assertThat(refusal(() -> ofKey.takeBytes(1)).limit()).isEqualTo("bytes-per-second");
    assertThat(own.orElse(LIMITS)).isEqualTo(new Limits(1_000, 1_000, 2, 1, 1, 6_000));
  }

  @Test
  void withoutLimitsNothingIsCounted() {
    Quotas none = new Quotas(Limits.NONE, now::get, refused::add);
    Quota free = none.of("ada", Limits.NONE);
    assertThat(free).isSameAs(Quota.UNLIMITED);
    free.takeEvents(Long.MAX_VALUE);
    free.push();
    free.query();
    assertThat(none.size()).isZero();
  }

  @Test
  void clientsInDebtAreNotEvictedForNewOnes() {
    Quota inDebt = quotas.of("debtor", Limits.NONE);
    inDebt.oweEvents(10_000_000);
    Quota inUse = quotas.of("user", Limits.NONE);
    inUse.push();
    for (int i = 0; i < 3 * Quotas.CLIENTS_MAX; i++) {
      after(1);
      quotas.of("client " + i, Limits.NONE);
    }
    assertThat(quotas.size()).isBetween(Quotas.CLIENTS_MAX - 100, Quotas.CLIENTS_MAX);
    assertThat(quotas.of("debtor", Limits.NONE)).isSameAs(inDebt);
    assertThat(quotas.of("user", Limits.NONE)).isSameAs(inUse);
    assertThat(quotas.of("ada", Limits.NONE)).isNotSameAs(quota);
  }

  /** A client that uses many addresses gets no more than the limits of one. */
  @Test
  void clientsBeyondTheBoundShareOneQuota() {
    quota.oweEvents(1_000_000);
    for (int i = 0; i < Quotas.CLIENTS_MAX; i++) {
      quotas.of("client " + i, Limits.NONE).oweEvents(1_000_000);
    }
    after(60);
    Quota first = quotas.of("first", Limits.NONE);
    assertThat(quotas.of("second", Limits.NONE)).isSameAs(first);
    assertThat(quotas.size()).isLessThanOrEqualTo(Quotas.CLIENTS_MAX);
  }

  private void after(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private static LimitExceededException refusal(ThrowingCallable call) {
    return catchThrowableOfType(LimitExceededException.class, call);
  }
}
