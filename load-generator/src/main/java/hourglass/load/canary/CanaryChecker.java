package hourglass.load.canary;

import hourglass.load.client.Backoff;
import hourglass.load.client.Destination;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import hourglass.load.command.ProgressLine;

/**
 * Reads each window once more when it is due, whole and oldest first, and compares it with what was
 * sent. An answer that is not whole is asked for again, after those of the other windows. For one
 * thread.
 */
final class CanaryChecker {
  private final CanaryLedger ledger;
  private final CanaryUnseen unseen;
  private final CanaryReads reads;
  private final CanaryEvents events;
  private final Destination destination;
  private final CanaryTally tally;
  private final CanaryNotes notes;
  private final Nanos nanos;

  CanaryChecker(
      CanaryLedger ledger,
      CanaryUnseen unseen,
      CanaryReads reads,
      CanaryEvents events,
      Destination destination,
      CanaryTally tally,
      CanaryNotes notes,
      Nanos nanos) {
    this.ledger = ledger;
    this.unseen = unseen;
    this.reads = reads;
    this.events = events;
    this.destination = destination;
    this.tally = tally;
    this.notes = notes;
    this.nanos = nanos;
  }

  /** Returns when the ledger has ended and every window is checked. */
  void run() throws InterruptedException {
    int failures = 0;
    CanaryWindow window = ledger.awaitDue();
    while (window != null) {
      if (isChecked(window)) {
        failures = 0;
      } else {
        ledger.failed(window);
        Thread.sleep(Backoff.millis(failures++, -1));
      }
      window = ledger.awaitDue();
    }
  }

  /** A failure of one window does not keep the next from being checked. */
  private boolean isChecked(CanaryWindow window) throws InterruptedException {
    try {
      return isStored() && check(window);
    } catch (RuntimeException e) {
      reads.failed("broken", e.toString());
      return false;
    }
  }

  /** A topic stores later than it acknowledges. */
  private boolean isStored() throws InterruptedException {
    try {
      destination.awaitStored(ProgressLine.silent());
      return true;
    } catch (LoadFailure e) {
      reads.failed("not stored yet", String.valueOf(e.getMessage()));
      return false;
    }
  }

  private boolean check(CanaryWindow window) {
    CanaryCheck check = new CanaryCheck(events, window);
    String range = CanaryReads.range(window.fromTicks(), window.toTicks());
    if (!reads.read(range + "&order=asc&limit=all", check)) {
      return false;
    }
    ledger.checked(
        window,
        () -> {
          seen(window, check);
          check.end(tally, notes);
        });
    unseen.forget(window);
    return true;
  }

  /** An event that the looks missed is visible by now. */
  private void seen(CanaryWindow window, CanaryCheck check) {
    long now = nanos.now();
    for (int i = 0; i < window.size(); i++) {
      if (check.found(i)) {
        unseen.seen(window.sequence(i), now);
      }
    }
  }
}
