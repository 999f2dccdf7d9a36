package hourglass.load.verify;

import hourglass.load.command.Limits;
import hourglass.load.event.EventKeys;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Expected minus got, as multisets, one walk over sorted digests. Events of one key and another
 * payload stand side by side, which separates altered events from lost ones.
 *
 * <pre>
 *   same key and payload    stored s times, unsure u times, got g times
 *     g &lt; s                 s - g missing: altered as far as the key has payloads nobody sent, else lost
 *     g &gt; s + u &gt; 0        g - s - u doubled
 *     s + u = 0             g foreign, or the altered form of a missing one
 *   key with an identity    one event, whatever number was sent; any of the payloads sent
 * </pre>
 */
final class DigestComparison {
  /** A digest whose event is to be shown. */
  record Suspect(long key, long payload) {}

  private final DigestTable stored;
  private final DigestTable unsure;
  private final DigestTable got;
  private final Faults faults;
  private final Map<Suspect, Faults.Kind> sentSuspects = new HashMap<>();
  private final Map<Suspect, Faults.Kind> gotSuspects = new HashMap<>();
  private long foreign;
  private long expected;
  private long unsureFound;

  private DigestComparison(DigestTable stored, DigestTable unsure, DigestTable got, Faults faults) {
    this.stored = stored;
    this.unsure = unsure;
    this.got = got;
    this.faults = faults;
  }

  /** Compares sorted tables and adds each difference to {@code faults}. */
  static DigestComparison of(Expectation expectation, DigestTable got, Faults faults) {
    DigestComparison comparison =
        new DigestComparison(expectation.stored(), expectation.unsure(), got, faults);
    comparison.walk();
    return comparison;
  }

  /** Events read that this run did not send. */
  long foreign() {
    return foreign;
  }

  /** Events that must be there: those of one identity count once. */
  long expected() {
    return expected;
  }

  /** Events that were unsure and are there. */
  long unsureFound() {
    return unsureFound;
  }

  /** The first few of a kind, to be looked up in the source. */
  Map<Suspect, Faults.Kind> sentSuspects() {
    return sentSuspects;
  }

  /** The first few that were not sent, to be looked up in the answer: altered or foreign. */
  Map<Suspect, Faults.Kind> gotSuspects() {
    return gotSuspects;
  }

  private void walk() {
    int s = 0;
    int u = 0;
    int g = 0;
    while (s < stored.size() || u < unsure.size() || g < got.size()) {
      long key = Math.min(Math.min(keyAt(stored, s), keyAt(unsure, u)), keyAt(got, g));
      int sEnd = endOfKey(stored, s, key);
      int uEnd = endOfKey(unsure, u, key);
      int gEnd = endOfKey(got, g, key);
      if (EventKeys.hasIdentity(key)) {
        compareIdentity(key, s, sEnd, u, uEnd, g, gEnd);
      } else {
        comparePayloads(key, s, sEnd, u, uEnd, g, gEnd);
      }
      s = sEnd;
      u = uEnd;
      g = gEnd;
    }
  }

  private static long keyAt(DigestTable table, int i) {
    return i < table.size() ? table.key(i) : Long.MAX_VALUE;
  }

  private static int endOfKey(DigestTable table, int from, long key) {
    int end = from;
    while (end < table.size() && table.key(end) == key) {
      end++;
    }
    return end;
  }

  private void comparePayloads(long key, int s, int sEnd, int u, int uEnd, int g, int gEnd) {
    int missing = 0;
    int strange = 0;
    long firstMissing = 0;
    long firstStrange = 0;
    while (s < sEnd || u < uEnd || g < gEnd) {
      long payload =
          Math.min(
              Math.min(payloadAt(stored, s, sEnd), payloadAt(unsure, u, uEnd)),
              payloadAt(got, g, gEnd));
      int wanted = countOf(stored, s, sEnd, payload);
      int maybe = countOf(unsure, u, uEnd, payload);
      int found = countOf(got, g, gEnd, payload);
      expected += wanted;
      unsureFound += Math.max(0, Math.min(found - wanted, maybe));
      if (found < wanted) {
        firstMissing = missing == 0 ? payload : firstMissing;
        missing += wanted - found;
      } else if (wanted + maybe == 0) {
        firstStrange = strange == 0 ? payload : firstStrange;
        strange += found;
      } else if (found > wanted + maybe) {
        faults.add(Faults.Kind.DOUBLED, found - wanted - maybe);
        suspect(sentSuspects, Faults.Kind.DOUBLED, key, payload);
      }
      s += wanted;
      u += maybe;
      g += found;
    }
    missing(key, missing, firstMissing, strange, firstStrange);
  }

  private void missing(long key, int missing, long firstMissing, int strange, long firstStrange) {
    int altered = Math.min(missing, strange);
    faults.add(Faults.Kind.ALTERED, altered);
    faults.add(Faults.Kind.LOST, missing - altered);
    foreign += strange - altered;
    Faults.Kind gotKind = altered > 0 ? Faults.Kind.ALTERED : Faults.Kind.FOREIGN;
    if (missing > 0) {
      Faults.Kind kind = altered > 0 ? Faults.Kind.ALTERED : Faults.Kind.LOST;
      suspect(sentSuspects, kind, key, firstMissing);
    }
    if (strange > 0) {
      suspect(gotSuspects, gotKind, key, firstStrange);
    }
  }

  private void compareIdentity(long key, int s, int sEnd, int u, int uEnd, int g, int gEnd) {
    int found = gEnd - g;
    int known = 0;
    for (int i = g; i < gEnd; i++) {
      long payload = got.payload(i);
      known += contains(stored, s, sEnd, payload) || contains(unsure, u, uEnd, payload) ? 1 : 0;
    }
    boolean wanted = s < sEnd;
    if (!wanted && u == uEnd) {
      foreign += found;
      suspect(gotSuspects, Faults.Kind.FOREIGN, key, got.payload(g));
      return;
    }
    expected += wanted ? 1 : 0;
    unsureFound += !wanted && known > 0 ? 1 : 0;
    if (wanted && known == 0) {
      Faults.Kind kind = found > 0 ? Faults.Kind.ALTERED : Faults.Kind.LOST;
      faults.add(kind, 1);
      suspect(sentSuspects, kind, key, stored.payload(s));
      if (found > 0) {
        suspect(gotSuspects, kind, key, got.payload(g));
      }
    }
    if (found > 1) {
      faults.add(Faults.Kind.DOUBLED, found - 1);
      suspect(gotSuspects, Faults.Kind.DOUBLED, key, got.payload(g));
    }
  }

  private static long payloadAt(DigestTable table, int i, int end) {
    return i < end ? table.payload(i) : Long.MAX_VALUE;
  }

  private static int countOf(DigestTable table, int from, int end, long payload) {
    int i = from;
    while (i < end && table.payload(i) == payload) {
      i++;
    }
    return i - from;
  }

  private static boolean contains(DigestTable table, int from, int end, long payload) {
    for (int i = from; i < end; i++) {
      if (table.payload(i) == payload) {
        return true;
      }
    }
    return false;
  }

  private static void suspect(
      Map<Suspect, Faults.Kind> suspects, Faults.Kind kind, long key, long payload) {
    if (Collections.frequency(suspects.values(), kind) < Limits.FAULTS_SHOWN) {
      suspects.put(new Suspect(key, payload), kind);
    }
  }
}
