package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.service.InFlightBudget.Reservation;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InFlightBudgetTest {
  private static final long MIB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger revoked = new AtomicInteger();
  private final InFlightBudget bytes = new InFlightBudget(100 * MIB, 90 * MIB, this::nanos);

  /** Called on the thread that reads the clock. */
  private volatile Runnable onClock = () -> {};

  private long nanos() {
    onClock.run();
    return nanos.get();
  }

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private Reservation body(String client, long mebibytes) {
    Reservation body = bytes.reservation(client);
    body.allowRevoke(revoked::incrementAndGet);
    assertThat(body.mayBegin(1)).isTrue();
    assertThat(body.add(mebibytes * MIB)).isTrue();
    return body;
  }

  private List<Reservation> bodies(String client, int count, long mebibytes) {
    List<Reservation> bodies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      bodies.add(body(client, mebibytes));
    }
    return bodies;
  }

  @Test
  void aSingleClientMayUseAllButTheReservedPart() {
    bodies("a", 9, 10);
    assertThat(bytes.reservation("a").mayBegin(2 * MIB)).isFalse();
    Reservation little = bytes.reservation("a");
    assertThat(little.add(MIB)).isTrue();
    assertThat(little.add(MIB)).as("little no more").isFalse();
    assertThat(bytes.used()).isEqualTo(91 * MIB);
  }

  /** The request would be refused again at every retry. */
  @Test
  void aRequestNeedingMostOfTheMemoryIsTooLarge() {
    Reservation large = bytes.reservation("a");
    assertThat(large.add(45 * MIB)).isTrue();
    assertThat(large.tooMuch()).isInstanceOf(OverloadedException.class);
    assertThat(large.add(1)).isTrue();
    assertThat(large.tooMuch()).isInstanceOf(TooLargeException.class);
  }

  @Test
  void slowBodiesLoseTheirMemoryFirst() {
    List<Reservation> slow = bodies("a", 8, 10);
    pass(1_000);
    slow.get(3).add(MIB / 2);
    pass(1_000);
    slow.get(3).add(MIB / 2);
    assertThat(bytes.reservation("a").mayBegin(20 * MIB)).isTrue();
    assertThat(revoked).as("as many as were needed").hasValue(2);
    assertThat(slow.get(3).forbidRevoke()).as("this one is quick").isTrue();
    assertThat(slow.get(0).add(1)).isFalse();
    assertThat(slow.get(0).forbidRevoke()).isFalse();
  }

  @Test
  void tricklingBodiesAreSlow() {
    List<Reservation> slow = bodies("a", 9, 10);
    for (int tenths = 0; tenths < 30; tenths++) {
      pass(100);
      slow.forEach(body -> body.add(100));
    }
    assertThat(bytes.reservation("a").mayBegin(2 * MIB)).isTrue();
  }

  @Test
  void smallReservationsAreRevokedOnlyAboveTheShare() {
    List<Reservation> quiet = new ArrayList<>();
    for (int i = 0; i < 89; i++) {
      Reservation stream = bytes.reservation("a");
      stream.allowRevoke(MIB, revoked::incrementAndGet);
      assertThat(stream.add(i < 88 ? MIB : MIB + 1)).isTrue();
      quiet.add(stream);
    }
    pass(10_000);
    assertThat(bytes.reservation("a").mayBegin(3 * MIB)).isFalse();
    assertThat(revoked).as("the one that holds more").hasValue(1);
    assertThat(quiet.get(88).add(1)).isFalse();
    assertThat(bytes.reservation("b").mayBegin(3 * MIB)).isTrue();
    assertThat(revoked).hasValue(2);
  }

  @Test
  void aLargeClientLosesMemoryToASmallOne() {
    bodies("a", 9, 10);
    Reservation other = bytes.reservation("b");
    assertThat(other.mayBegin(5 * MIB)).isTrue();
    assertThat(other.add(5 * MIB)).isTrue();
    assertThat(revoked).hasValue(1);
  }

  @Test
  void completeBodyKeepsItsMemory() {
    List<Reservation> read = bodies("a", 9, 10);
    read.forEach(body -> assertThat(body.forbidRevoke()).isTrue());
    pass(10_000);
    assertThat(bytes.reservation("b").mayBegin(5 * MIB)).isFalse();
    assertThat(revoked).hasValue(0);
  }

  @Test
  void sharesAreEnforcedWhileAClientWaits() {
    List<Reservation> read = bodies("a", 9, 10);
    read.forEach(Reservation::forbidRevoke);
    assertThat(bytes.reservation("b").mayBegin(5 * MIB)).isFalse();
    read.get(0).release();
    assertThat(bytes.reservation("a").mayBegin(5 * MIB)).as("beyond its half").isFalse();
    Reservation other = bytes.reservation("b");
    assertThat(other.mayBegin(5 * MIB)).isTrue();
    assertThat(other.add(5 * MIB)).isTrue();
    assertThat(bytes.reservation("a").mayBegin(5 * MIB)).as("no client waits").isTrue();
  }

  @Test
  void refusedClientIsForgottenInTime() {
    List<Reservation> read = bodies("a", 9, 10);
    read.forEach(Reservation::forbidRevoke);
    assertThat(bytes.reservation("b").mayBegin(5 * MIB)).isFalse();
    read.get(0).release();
    pass(2_001);
    assertThat(bytes.reservation("a").mayBegin(5 * MIB)).isTrue();
  }

  /** One thread revokes memory while another compares the shares of the same requests. */
  @Test
  void revokingAndComparingDoNotDeadlock() throws InterruptedException {
    List<Reservation> read = bodies("a", 9, 10);
    read.forEach(Reservation::forbidRevoke);
    Reservation wants = bytes.reservation("b");
    assertThat(wants.mayBegin(5 * MIB)).as("from now on, others keep to their shares").isFalse();
    read.forEach(body -> body.allowRevoke(revoked::incrementAndGet));
    Reservation next = bytes.reservation("a");

    CountDownLatch takes = new CountDownLatch(1);
    CountDownLatch compares = new CountDownLatch(1);
    Thread taking = new Thread(() -> wants.add(5 * MIB));
    Thread comparing = new Thread(() -> next.mayBegin(MIB));
    taking.setDaemon(true);
    comparing.setDaemon(true);
    onClock =
        () -> {
          if (Thread.currentThread() == taking) {
            takes.countDown();
            await(compares);
          } else if (Thread.currentThread() == comparing) {
            compares.countDown();
            while (taking.getState() != Thread.State.BLOCKED && taking.isAlive()) {
              Thread.onSpinWait();
            }
          }
        };
    taking.start();
    await(takes);
    comparing.start();
    comparing.join(20_000);
    taking.join(20_000);
    assertThat(comparing.isAlive() || taking.isAlive()).as("they wait for one another").isFalse();
    assertThat(revoked).hasValue(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void releaseReturnsEverything() {
    List<Reservation> all = bodies("a", 5, 10);
    all.get(0).subtract(MIB);
    all.forEach(Reservation::release);
    all.forEach(Reservation::release);
    assertThat(all.get(0).add(1)).isFalse();
    assertThat(bytes.used()).isZero();
  }
}
