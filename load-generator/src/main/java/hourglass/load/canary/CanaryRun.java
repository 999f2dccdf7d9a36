package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.load.client.Backoff;
import hourglass.load.client.Batch;
import hourglass.load.client.Destination;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadLimits;
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
 * Sends events on a fixed schedule, then waits for the remaining checks. Several lanes send, so
 * that a slow answer does not delay the next event. A turn that is far too late is skipped, to
 * spare a server that has just recovered. For one run.
 */
final class CanaryRun {
  private final CanaryOptions options;
  private final CanaryEvents events;
  private final Destination destination;
  private final CanaryTally tally;
  private final InstantSource clock;
  private final Nanos nanos;
  final CanaryLedger ledger;
  final CanaryReader reader;
  private final AtomicLong turns = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch checked = new CountDownLatch(1);

  CanaryRun(
      CanaryOptions options,
      CanaryEvents events,
      TargetClient client,
      Destination destination,
      CanaryTally tally,
      InstantSource clock,
      Nanos nanos) {
    this.options = options;
    this.events = events;
    this.destination = destination;
    this.tally = tally;
    this.clock = clock;
    this.nanos = nanos;
    int eventsMax = LoadLimits.CANARY_AWAITED_EVENTS_MAX;
    ledger = new CanaryLedger(options.window, options.settle, eventsMax, nanos, tally);
    reader = new CanaryReader(client, destination, events, ledger, tally, nanos);
    tally.meters.gauge(
        "oldest.unseen.seconds",
        "Since the acknowledgement of the oldest event that no answer has shown; 0: none.",
        ledger::oldestUnseenSeconds);
    tally.meters.gauge("awaiting.check", "Events that were not checked yet.", ledger::awaited);
  }

  /** Runs the canary. Returns the seconds of sending. */
  double run() throws InterruptedException {
    Thread watching = start("canary-watch", () -> reader.watch(options.lookEvery));
    Thread checking = start("canary-check", this::check);
    Pacer pacer = new Pacer(nanos, nanos.now(), options.rate);
    List<Thread> lanes = new ArrayList<>();
    for (int i = 0; i < options.connections; i++) {
      int target = i;
      lanes.add(start("canary-" + i, () -> send(pacer, target)));
    }
    for (Thread lane : lanes) {
      lane.join();
    }
    double seconds = (nanos.now() - pacer.startNanos()) / 1e9;
    ledger.end();
    long patience = options.settle.plus(options.giveUpAfter).toMillis();
    boolean unused = checked.await(patience, TimeUnit.MILLISECONDS);
    ledger.abandon();
    checking.interrupt();
    watching.interrupt();
    return seconds;
  }

  private static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void check() {
    try {
      reader.check();
      checked.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the run in order: no more events are sent, but requests in flight get their answers. A
   * second call gives up the remaining checks. Safe for any thread.
   */
  synchronized void stop() {
    if (stopped.getCount() == 0) {
      checked.countDown();
    }
    stopped.countDown();
  }

  private void send(Pacer pacer, int firstTarget) {
    long eventsMax = options.events == null ? Long.MAX_VALUE : options.events;
    long lengthNanos = options.length == null ? Long.MAX_VALUE : options.length.toNanos();
    int target = firstTarget;
    try {
      while (true) {
        long turn = turns.getAndIncrement();
        long due = pacer.dueNanos(turn);
        boolean last = turn >= eventsMax || due - pacer.startNanos() >= lengthNanos;
        if (last || isStopped(due - nanos.now())) {
          return;
        }
        if (nanos.now() - due > options.giveUpAfter.toNanos()) {
          tally.pushes.missed.increment();
        } else {
          target = deliver(due, target);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStopped(long waitNanos) throws InterruptedException {
    return stopped.await(waitNanos, TimeUnit.NANOSECONDS);
  }

  /** Delivers one event. Returns the target that accepted it, or the one to try next. */
  private int deliver(long dueNanos, int firstTarget) throws InterruptedException {
    CanaryWindow.Sent event = ledger.begin(Ticks.of(clock.instant()), dueNanos);
    Buffer line =
        Buffer.buffer(events.payload(event.sequence, event.ticks)).appendByte((byte) '\n');
    Batch batch = Batch.plain(0, event.sequence, 1, line);
    long giveUpNanos = nanos.now() + options.giveUpAfter.toNanos();
    boolean acknowledged = false;
    try {
      for (int attempt = 0; ; attempt++) {
        PushAnswer answer = destination.push(batch, "", null, firstTarget + attempt);
        if (answer instanceof PushAnswer.Verdict verdict) {
          acknowledged = verdict.accepted() == 1;
          if (!acknowledged) {
            failed(event, "rejected", verdict.reason());
          }
          return firstTarget + attempt;
        }
        PushAnswer.Failure failure = (PushAnswer.Failure) answer;
        failed(event, failure.kind(), failure.detail());
        if (!again(failure, attempt, giveUpNanos)) {
          return firstTarget + attempt + 1;
        }
        tally.pushes.retried.increment();
      }
    } finally {
      if (acknowledged) {
        ledger.acknowledged(event, nanos.now());
      } else {
        ledger.givenUp(event);
      }
    }
  }

  private void failed(CanaryWindow.Sent event, String kind, String text) {
    tally.pushFailed(kind, "%s: %s".formatted(events.id(event.sequence), text));
  }

  /**
   * Waits before another attempt. Returns whether to make one. Another attempt is safe because the
   * event has an id.
   */
  private boolean again(PushAnswer.Failure failure, int attempt, long giveUpNanos)
      throws InterruptedException {
    Duration wait = Duration.ofMillis(Backoff.millis(attempt, failure.retryAfterMillis()));
    boolean late = nanos.now() + wait.toNanos() > giveUpNanos;
    return failure.mayRetry(() -> true) && !late && !isStopped(wait.toNanos());
  }
}
