package hourglass.load.canary;

import hourglass.load.client.Destination;
import hourglass.load.command.Limits;
import hourglass.load.command.Nanos;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sends, looks, and checks, side by side, until the schedule ends or it is stopped; then waits for
 * the remaining checks. For one run.
 */
final class CanaryRun {
  private final CanarySettings settings;
  private final CanaryTally tally;
  private final CanaryLedger ledger;
  private final CanaryUnseen unseen;
  private final CanarySender sender;
  private final CanaryWatch watch;
  private final CanaryChecker checker;
  private final Nanos nanos;
  private final CountDownLatch checked = new CountDownLatch(1);
  private boolean stopping;

  CanaryRun(
      CanarySettings settings,
      CanaryEvents events,
      CanaryReads reads,
      Destination destination,
      CanaryTally tally,
      CanaryNotes notes,
      InstantSource clock,
      Nanos nanos) {
    this.settings = settings;
    this.tally = tally;
    this.nanos = nanos;
    this.unseen = new CanaryUnseen(tally);
    this.ledger =
        new CanaryLedger(
            settings.window(),
            settings.settle(),
            Limits.CANARY_AWAITED_EVENTS_MAX,
            nanos,
            unseen,
            tally);
    this.sender =
        new CanarySender(destination, events, settings, ledger, unseen, tally, notes, clock, nanos);
    this.watch = new CanaryWatch(unseen, reads, events, settings.interval(), nanos);
    this.checker =
        new CanaryChecker(ledger, unseen, reads, events, destination, tally, notes, nanos);
    tally.gauge(
        "oldest.unseen.seconds",
        "Since the acknowledgement of the oldest event that no answer has shown; 0: none.",
        () -> unseen.oldestSeconds(nanos.now()));
    tally.gauge("awaiting.check", "Events that were not checked yet.", ledger::awaited);
  }

  /**
   * Runs to the end.
   *
   * @return seconds that events were sent
   */
  double run() throws InterruptedException {
    Thread watching = start("canary-watch", watch::run);
    Thread checking = start("canary-check", this::check);
    long start = nanos.now();
    sender.run();
    double seconds = (nanos.now() - start) / 1e9;
    ledger.end();
    long patience = settings.settle().plus(settings.giveUpAfter()).toMillis();
    boolean unused = checked.await(patience, TimeUnit.MILLISECONDS);
    ledger.abandon();
    checking.interrupt();
    watching.interrupt();
    return seconds;
  }

  /** Ends the run in order; the second time, without waiting for the remaining checks. */
  synchronized void stop() {
    if (stopping) {
      checked.countDown();
    }
    stopping = true;
    sender.stop();
  }

  /** How far it is, in a line. */
  String line() {
    return CanaryReport.line(tally, unseen.oldestSeconds(nanos.now()));
  }

  private void check() {
    try {
      checker.run();
      checked.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
