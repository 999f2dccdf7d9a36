package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.load.client.Backoff;
import hourglass.load.client.Batch;
import hourglass.load.client.Destination;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.PushFailure;
import hourglass.load.command.Nanos;
import hourglass.load.send.Pacer;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends one event after the other on a fixed schedule, over a few lanes, so that one slow answer
 * does not hold up the next event. A turn that is far too late, since all lanes were held up, is
 * skipped: a canary does not flood a server that has just recovered. For one run.
 */
final class CanarySender {
  private final Destination destination;
  private final CanaryEvents events;
  private final CanarySettings settings;
  private final CanaryLedger ledger;
  private final CanaryUnseen unseen;
  private final CanaryTally tally;
  private final CanaryNotes notes;
  private final InstantSource clock;
  private final Nanos nanos;
  private final AtomicLong turns = new AtomicLong();
  private final CountDownLatch stop = new CountDownLatch(1);

  CanarySender(
      Destination destination,
      CanaryEvents events,
      CanarySettings settings,
      CanaryLedger ledger,
      CanaryUnseen unseen,
      CanaryTally tally,
      CanaryNotes notes,
      InstantSource clock,
      Nanos nanos) {
    this.destination = destination;
    this.events = events;
    this.settings = settings;
    this.ledger = ledger;
    this.unseen = unseen;
    this.tally = tally;
    this.notes = notes;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Returns when the last event is acknowledged or given up. */
  void run() throws InterruptedException {
    Pacer pacer = new Pacer(nanos, nanos.now(), settings.ratePerSecond());
    List<Thread> lanes = new ArrayList<>();
    for (int i = 0; i < settings.connections(); i++) {
      int target = i;
      Thread lane = new Thread(() -> drive(pacer, target), "canary-" + i);
      lane.setDaemon(true);
      lane.start();
      lanes.add(lane);
    }
    for (Thread lane : lanes) {
      lane.join();
    }
  }

  /** Sends no more events or attempts; requests in flight get their answers. From any thread. */
  void stop() {
    stop.countDown();
  }

  private void drive(Pacer pacer, int firstTarget) {
    int target = firstTarget;
    try {
      while (true) {
        long turn = turns.getAndIncrement();
        long due = pacer.dueNanos(turn);
        boolean last =
            turn >= settings.events() || due - pacer.startNanos() >= settings.lengthNanos();
        if (last || isStopped(due - nanos.now())) {
          return;
        }
        if (nanos.now() - due > settings.giveUpAfter().toNanos()) {
          tally.missed.increment();
        } else {
          target = deliver(due, target);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits that long, or until it is stopped. */
  private boolean isStopped(long waitNanos) throws InterruptedException {
    return stop.await(waitNanos, TimeUnit.NANOSECONDS);
  }

  /** Returns the target that took it, or the one to try next. */
  private int deliver(long dueNanos, int firstTarget) throws InterruptedException {
    CanaryEvent event = ledger.begin(Ticks.of(clock.instant()), dueNanos);
    Batch batch = batch(event);
    long giveUpNanos = nanos.now() + settings.giveUpAfter().toNanos();
    CanaryWindow.Fate fate = CanaryWindow.Fate.UNACKNOWLEDGED;
    int attempt = 0;
    try {
      while (true) {
        PushAnswer answer = destination.push(batch, "", null, firstTarget + attempt);
        if (answer instanceof PushAnswer.Verdict verdict) {
          fate = verdict(event, verdict);
          return firstTarget + attempt;
        }
        PushFailure trouble = PushFailure.of(answer);
        troubled(event, trouble.kind(), trouble.detail());
        attempt++;
        if (!again(trouble, attempt, giveUpNanos)) {
          return firstTarget + attempt;
        }
        tally.retried.increment();
      }
    } finally {
      decided(event, fate);
    }
  }

  private Batch batch(CanaryEvent event) {
    Buffer line =
        Buffer.buffer(events.payload(event.sequence(), event.ticks())).appendByte((byte) '\n');
    return Batch.plain(0, event.sequence(), 1, line);
  }

  private CanaryWindow.Fate verdict(CanaryEvent event, PushAnswer.Verdict verdict) {
    if (verdict.accepted() != 1) {
      troubled(event, "rejected", verdict.reason());
      return CanaryWindow.Fate.UNACKNOWLEDGED;
    }
    long now = nanos.now();
    tally.push.record(now - event.dueNanos());
    unseen.add(event, now);
    return CanaryWindow.Fate.ACKNOWLEDGED;
  }

  private void troubled(CanaryEvent event, String kind, String text) {
    tally.pushErrors.add(kind, 1);
    notes.add("push " + kind, "%s: %s".formatted(events.id(event.sequence()), text));
  }

  /** Waits and says true, if there is to be another attempt: the id makes it safe. */
  private boolean again(PushFailure trouble, int attempt, long giveUpNanos)
      throws InterruptedException {
    Duration wait = Duration.ofMillis(Backoff.millis(attempt - 1, trouble.retryAfterMillis()));
    boolean late = nanos.now() + wait.toNanos() > giveUpNanos;
    return trouble.mayRetry(() -> true) && !late && !isStopped(wait.toNanos());
  }

  private void decided(CanaryEvent event, CanaryWindow.Fate fate) {
    (fate == CanaryWindow.Fate.ACKNOWLEDGED ? tally.acknowledged : tally.unacknowledged)
        .increment();
    ledger.decide(event, fate);
  }
}
