package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.load.event.StoredEvent;
import hourglass.load.event.StoredEvent.Mark;
import hourglass.load.verify.Faults;
import hourglass.load.verify.Faults.Kind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares one answer, oldest event first, with its window. Events outside the window are only
 * checked for their order.
 */
final class CanaryCheck implements Consumer<StoredEvent> {
  private final CanaryEvents events;
  private final CanaryWindow window;
  private final Faults faults = new Faults();
  final Set<CanaryWindow.Sent> found = new HashSet<>();
  private @Nullable Mark previous;

  CanaryCheck(CanaryEvents events, CanaryWindow window) {
    this.events = events;
    this.window = window;
  }

  @Override
  public void accept(StoredEvent event) {
    Mark mark = event.mark();
    if (previous != null && previous.compareOrder(mark) > 0) {
      faults.add(Kind.ORDER, "%s after %s".formatted(mark, previous));
    }
    previous = mark;
    CanaryWindow.Sent sent = window.event(events.sequence(event.identity()));
    if (sent != null) {
      check(event, sent);
    } else if (!CanaryEvents.isOfCanary(event.identity())) {
      faults.add(Kind.FOREIGN, event.id().toString());
    }
  }

  private void check(StoredEvent event, CanaryWindow.Sent sent) {
    if (!found.add(sent)) {
      faults.add(Kind.DOUBLED, named(sent) + ", again as " + event.id());
    }
    long ticks = sent.ticks;
    boolean sameTime = event.id().ticks() == ticks && event.timeText().equals(Ticks.text(ticks));
    if (!sameTime || !Arrays.equals(events.payload(sent.sequence, ticks), event.data())) {
      faults.add(
          Kind.ALTERED,
          "%s, stored as %s at %s: %s"
              .formatted(named(sent), event.id(), event.timeText(), event.excerpt()));
    }
  }

  private String named(CanaryWindow.Sent event) {
    return "%s of %s".formatted(events.id(event.sequence), Ticks.text(event.ticks));
  }

  /** Counts the findings at the end of a whole answer. */
  void end(CanaryTally tally) {
    for (CanaryWindow.Sent event : window.events) {
      boolean isFound = found.contains(event);
      switch (event.fate) {
        case ACKNOWLEDGED -> {
          tally.checks.checked.increment();
          if (!isFound) {
            faults.add(Kind.LOST, named(event));
          }
        }
        case UNACKNOWLEDGED ->
            (isFound ? tally.pushes.unacknowledgedPresent : tally.pushes.unacknowledgedAbsent)
                .increment();
        case IN_FLIGHT ->
            throw new IllegalStateException("BUG: checked too early: " + named(event));
      }
    }
    tally.add(faults);
  }
}
