package hourglass.load.verify;

import hourglass.bucketing.Ticks;
import hourglass.command.FigureText;
import hourglass.load.event.EventKeys;
import hourglass.load.event.StoredEvent;
import hourglass.load.event.StoredEvent.Mark;
import hourglass.load.verify.Faults.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the streamed answer event by event for all comparisons. Its memory is bounded, except
 * for the digests.
 */
final class ReadBack implements Consumer<StoredEvent> {
  private final Expectation expectation;
  private final EventKeys keys;
  private final int marksMax;
  private final Faults faults;
  private @Nullable Mark previous;
  private final LongAdder events = new LongAdder();
  final DigestTable digests;
  final Map<String, Long> countByType = new TreeMap<>();

  /** The oldest events, in their order. */
  final List<Mark> first = new ArrayList<>();

  final Deque<Mark> newestFirst = new ArrayDeque<>();

  ReadBack(Expectation expectation, int eventsMax, int marksMax, Faults faults) {
    this.expectation = expectation;
    this.keys = new EventKeys(expectation.timed);
    this.digests = new DigestTable(eventsMax);
    this.marksMax = marksMax;
    this.faults = faults;
  }

  @Override
  public void accept(StoredEvent event) {
    Mark mark = event.mark();
    checkOrder(mark);
    checkTime(event);
    digests.add(keys.key(event.type(), event.id().ticks(), event.identity()), mark.payloadDigest());
    countByType.merge(event.type(), 1L, Long::sum);
    if (first.size() < marksMax) {
      first.add(mark);
    }
    if (newestFirst.size() == marksMax) {
      newestFirst.removeLast();
    }
    newestFirst.addFirst(mark);
    events.increment();
  }

  private void checkOrder(Mark mark) {
    Mark before = previous;
    previous = mark;
    int order = before == null ? -1 : before.compareOrder(mark);
    if (order > 0) {
      faults.add(
          Kind.ORDER, FigureText.format("event %,d: %s after %s", events.sum(), mark, before));
    } else if (order == 0) {
      faults.add(Kind.REPEATED, FigureText.format("event %,d: %s", events.sum(), mark));
    }
  }

  private void checkTime(StoredEvent event) {
    long ticks = event.id().ticks();
    if (!event.timeText().equals(Ticks.text(ticks))) {
      faults.add(
          Kind.TIME,
          "%s is of %s, not %s".formatted(event.id(), Ticks.text(ticks), event.timeText()));
    }
    if (!expectation.covers(ticks)) {
      faults.add(Kind.RANGE, "%s at %s".formatted(event.id(), Ticks.text(ticks)));
    }
  }

  /** Returns the number of events so far. Safe for any thread. */
  long events() {
    return events.sum();
  }
}
