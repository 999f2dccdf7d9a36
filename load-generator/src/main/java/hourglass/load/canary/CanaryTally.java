package hourglass.load.canary;

import hourglass.load.send.Counts;
import hourglass.load.verify.Faults;
import java.util.concurrent.atomic.LongAdder;

/** What a canary counted so far. For any number of threads. */
final class CanaryTally {
  final LongAdder sent = new LongAdder();
  final LongAdder acknowledged = new LongAdder();

  /** Pushes of an event beyond its first. */
  final LongAdder retried = new LongAdder();

  /** Events given up without an acknowledgement. */
  final LongAdder unacknowledged = new LongAdder();

  /** Those of them that the check found, and did not. */
  final LongAdder unacknowledgedPresent = new LongAdder();

  final LongAdder unacknowledgedAbsent = new LongAdder();

  /** Turns of the schedule that were let go, since they came far too late. */
  final LongAdder missed = new LongAdder();

  /** Acknowledged events that a check looked for. */
  final LongAdder checked = new LongAdder();

  /** Events that no check could look for. */
  final LongAdder unchecked = new LongAdder();

  /** Acknowledged, and not in a whole answer. */
  final LongAdder lost = new LongAdder();

  final LongAdder duplicated = new LongAdder();
  final LongAdder outOfOrder = new LongAdder();

  /** Other bytes or another time than was sent. */
  final LongAdder changed = new LongAdder();

  /** Events of the type that no canary sent. */
  final LongAdder foreign = new LongAdder();

  /** Pushes without an acknowledgement, by what happened. */
  final Counts pushErrors = new Counts();

  /** Queries that failed, or whose answers called themselves incomplete. */
  final Counts readsFailed = new Counts();

  /** From the intended time of sending to the acknowledgement. */
  final Delays push = new Delays();

  /** From the intended time of sending until an answer held it. */
  final Delays visibleSinceDue = new Delays();

  final Delays visibleSinceAcknowledged = new Delays();

  void add(Faults faults) {
    lost.add(faults.count(Faults.Kind.LOST));
    duplicated.add(faults.count(Faults.Kind.DOUBLED));
    outOfOrder.add(faults.count(Faults.Kind.ORDER));
    changed.add(faults.count(Faults.Kind.ALTERED));
    foreign.add(faults.count(Faults.Kind.FOREIGN));
  }

  long faults() {
    return lost.sum() + duplicated.sum() + outOfOrder.sum() + changed.sum();
  }

  /** Whether something was acknowledged, and all of it is there as it was sent. */
  boolean passed() {
    return faults() == 0 && unchecked.sum() == 0 && acknowledged.sum() > 0;
  }
}
