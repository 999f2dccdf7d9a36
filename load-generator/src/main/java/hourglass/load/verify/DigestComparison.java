package hourglass.load.verify;

import hourglass.load.command.LoadLimits;
import hourglass.load.event.EventKeys;
import hourglass.load.verify.Faults.Kind;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the expected events with those that were read, as multisets, in one walk over sorted
 * digests. Events of one key are adjacent, which makes it possible to distinguish altered events
 * from lost ones.
 *
 * <pre>
 *   same key and payload    stored s times, unsure u times, got g times
 *     g &lt; s                 s - g missing: altered up to the key's unsent payloads, else lost
 *     g &gt; s + u &gt; 0        g - s - u doubled
 *     s + u = 0             g foreign, or the altered form of a missing one
 *   key with an identity    one event, whatever number was sent; any of the payloads sent
 * </pre>
 */
final class DigestComparison {
  record Suspect(long key, long payload) {}

  private final DigestTable.Group stored;
  private final DigestTable.Group unsure;
  private final DigestTable.Group got;
  private final Faults faults;

  /** The first few suspects of each kind, to be looked up in the source. */
  final Map<Suspect, Kind> sentSuspects = new HashMap<>();

  /** The first few altered, doubled or foreign events, to be looked up in the answer. */
  final Map<Suspect, Kind> gotSuspects = new HashMap<>();

  /** The number of expected events. Those of one identity count once. */
  long expected;

  long unsureFound;
  long foreign;

  /** Compares sorted tables. Adds each difference to {@code faults}, except for foreign events. */
  DigestComparison(DigestTable sent, DigestTable maybe, DigestTable read, Faults faults) {
    stored = sent.new Group();
    unsure = maybe.new Group();
    got = read.new Group();
    this.faults = faults;
    while (stored.nextGroup() || unsure.nextGroup() || got.nextGroup()) {
      long key = min(stored.nextKey(), unsure.nextKey(), got.nextKey());
      stored.enter(key);
      unsure.enter(key);
      got.enter(key);
      if (EventKeys.hasIdentity(key)) {
        compareIdentity(key);
      } else {
        comparePayloads(key);
      }
    }
  }

  private static long min(long a, long b, long c) {
    return Math.min(Math.min(a, b), c);
  }

  private void comparePayloads(long key) {
    int missing = 0;
    int strange = 0;
    long firstMissing = 0;
    long firstStrange = 0;
    while (stored.left() + unsure.left() + got.left() > 0) {
      long payload = min(stored.payload(), unsure.payload(), got.payload());
      int wanted = stored.take(payload);
      int maybe = unsure.take(payload);
      int found = got.take(payload);
      expected += wanted;
      unsureFound += Math.max(0, Math.min(found - wanted, maybe));
      if (found < wanted) {
        firstMissing = missing == 0 ? payload : firstMissing;
        missing += wanted - found;
      } else if (wanted + maybe == 0) {
        firstStrange = strange == 0 ? payload : firstStrange;
        strange += found;
      } else if (found > wanted + maybe) {
        faults.add(Kind.DOUBLED, found - wanted - maybe);
        suspect(sentSuspects, Kind.DOUBLED, key, payload);
      }
    }
    int altered = Math.min(missing, strange);
    faults.add(Kind.ALTERED, altered);
    faults.add(Kind.LOST, missing - altered);
    foreign += strange - altered;
    if (missing > 0) {
      Kind kind = altered > 0 ? Kind.ALTERED : Kind.LOST;
      suspect(sentSuspects, kind, key, firstMissing);
    }
    if (strange > 0) {
      Kind kind = altered > 0 ? Kind.ALTERED : Kind.FOREIGN;
      suspect(gotSuspects, kind, key, firstStrange);
    }
  }

  private void compareIdentity(long key) {
    int found = got.left();
    long firstGot = got.payload();
    boolean wanted = stored.left() > 0;
    if (!wanted && unsure.left() == 0) {
      foreign += found;
      suspect(gotSuspects, Kind.FOREIGN, key, firstGot);
      return;
    }
    boolean known = false;
    for (; got.left() > 0; got.take(got.payload())) {
      known |= stored.contains(got.payload()) || unsure.contains(got.payload());
    }
    expected += wanted ? 1 : 0;
    unsureFound += !wanted && known ? 1 : 0;
    if (wanted && !known) {
      Kind kind = found > 0 ? Kind.ALTERED : Kind.LOST;
      faults.add(kind, 1);
      suspect(sentSuspects, kind, key, stored.payload());
      if (found > 0) {
        suspect(gotSuspects, kind, key, firstGot);
      }
    }
    if (found > 1) {
      faults.add(Kind.DOUBLED, found - 1);
      suspect(gotSuspects, Kind.DOUBLED, key, firstGot);
    }
  }

  private static void suspect(Map<Suspect, Kind> suspects, Kind kind, long key, long payload) {
    if (Collections.frequency(suspects.values(), kind) < LoadLimits.FAULTS_SHOWN) {
      suspects.put(new Suspect(key, payload), kind);
    }
  }
}
