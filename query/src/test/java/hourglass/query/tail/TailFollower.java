package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.TimeUuid;
import java.util.Collection;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** A client whose connection may break anywhere, with its events and position. */
final class TailFollower {
  record Event(TimeUuid name, String type) {}

  private final Random random;
  private final Set<Event> before = new HashSet<>();
  private final Set<Event> got = new HashSet<>();
  private TailPosition position;
  private Event last = new Event(TimeUuid.first(0), "");

  /** No record so far is behind {@code position}; {@code written} are the events so far. */
  TailFollower(TailPosition position, Collection<Event> written, Random random) {
    this.position = position;
    this.random = random;
    for (Event event : written) {
      if (position.covers(event.name(), event.type())) {
        before.add(event);
      }
    }
  }

  TailPosition position() {
    return position;
  }

  /** The connection may lose the end of a step. */
  void take(TailStep step) {
    assertThat(step.from()).isEqualTo(position);
    int taken =
        random.nextInt(3) == 0 ? random.nextInt(step.events().size() + 1) : Integer.MAX_VALUE;
    for (TailEvent event : step.events().stream().limit(taken).toList()) {
      take(event);
      position = TailPosition.parse(event.after().encode());
    }
    if (taken > step.events().size()) {
      position = TailPosition.parse(step.to().encode());
    }
  }

  private void take(TailEvent taken) {
    Event event = new Event(taken.name(), taken.row().type());
    assertThat(got.add(event)).as("%s once", event).isTrue();
    assertThat(before).doesNotContain(event);
    if (!taken.isLate()) {
      assertThat(compare(event, last)).as("%s after %s", event, last).isPositive();
      last = event;
    }
  }

  private static int compare(Event a, Event b) {
    int byName = a.name().compareTo(b.name());
    return byName != 0 ? byName : a.type().compareTo(b.type());
  }

  void check(Collection<Event> written) {
    Set<Event> expected = new HashSet<>(written);
    expected.removeAll(before);
    assertThat(got).isEqualTo(expected);
  }
}
