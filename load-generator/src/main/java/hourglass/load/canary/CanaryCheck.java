package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.event.Mark;
import hourglass.load.event.StoredEvent;
import hourglass.load.verify.Faults;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares one answer, oldest first, with the window it was asked for. Events of other runs, and
 * those of this one that belong to another window, only have to be in order. For one answer.
 */
final class CanaryCheck implements LineSplitter.LineHandler {
  private static final int SHOWN_BYTES = 200;

  private final CanaryEvents events;
  private final CanaryWindow window;
  private final Mapping.Extractor payload = Mapping.DEFAULT.extractor();
  private final Faults faults = new Faults();
  private final boolean[] found;
  private @Nullable Mark previous;

  CanaryCheck(CanaryEvents events, CanaryWindow window) {
    this.events = events;
    this.window = window;
    this.found = new boolean[window.size()];
  }

  @Override
  public void line(byte[] bytes, int from, int to) {
    if (Lines.isBlank(bytes, from, to)) {
      return;
    }
    StoredEvent event = StoredEvent.read(bytes, from, to, payload);
    Mark mark = Mark.of(event);
    if (previous != null && previous.compareOrder(mark) > 0) {
      faults.add(Faults.Kind.ORDER, "%s after %s".formatted(mark, previous));
    }
    previous = mark;
    int index = window.indexOf(events.sequence(event.identity()));
    if (index >= 0) {
      check(event, index);
    } else if (!CanaryEvents.isOfCanary(event.identity())) {
      faults.add(Faults.Kind.FOREIGN, event.id().toString());
    }
  }

  private void check(StoredEvent event, int index) {
    if (found[index]) {
      faults.add(Faults.Kind.DOUBLED, named(index) + ", again as " + event.id());
    }
    found[index] = true;
    long ticks = window.ticks(index);
    boolean sameTime = event.id().ticks() == ticks && event.timeText().equals(Ticks.text(ticks));
    byte[] stored = event.data();
    if (!sameTime || !Arrays.equals(events.payload(window.sequence(index), ticks), stored)) {
      int shown = Math.min(stored.length, SHOWN_BYTES);
      faults.add(
          Faults.Kind.ALTERED,
          "%s, stored as %s at %s: %s"
              .formatted(
                  named(index),
                  event.id(),
                  event.timeText(),
                  new String(stored, 0, shown, StandardCharsets.UTF_8)));
    }
  }

  private String named(int index) {
    return "%s of %s".formatted(events.id(window.sequence(index)), Ticks.text(window.ticks(index)));
  }

  /** After the last line of a whole answer. */
  void end(CanaryTally tally) {
    for (int i = 0; i < found.length; i++) {
      switch (window.fate(i)) {
        case ACKNOWLEDGED -> {
          tally.checked.increment();
          if (!found[i]) {
            faults.add(Faults.Kind.LOST, named(i));
          }
        }
        case UNACKNOWLEDGED ->
            (found[i] ? tally.unacknowledgedPresent : tally.unacknowledgedAbsent).increment();
        case IN_FLIGHT -> throw new IllegalStateException("BUG: checked too early: " + named(i));
      }
    }
    tally.add(faults);
  }

  /** Whether the answer held the event of this place. */
  boolean found(int index) {
    return found[index];
  }
}
